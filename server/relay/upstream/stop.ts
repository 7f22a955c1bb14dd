/** Ends what a request has under way, whatever that is. Works once. */
export interface Stop {
  now(): void
  /** Names what is to be ended; at once when it is too late for it. */
  ends(end: () => void): void
  /** For what is ended by a signal. */
  signal(): AbortSignal
}

/** Cheaper than a signal for everything. A class, because one is made for every request: its methods are made once. */
class RequestStop implements Stop {
  private isStopped = false
  private end: (() => void) | null = null
  private controller: AbortController | null = null

  now(): void {
    this.isStopped = true
    this.end?.()
    this.controller?.abort()
  }

  ends(named: () => void): void {
    this.end = named
    if (this.isStopped) named()
  }

  signal(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.isStopped) this.controller.abort()
    return this.controller.signal
  }
}

export const createStop = (): Stop => new RequestStop()
