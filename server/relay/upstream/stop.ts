/** Ends what a request has under way, whatever that is. Works once. */
export interface Stop {
  now(): void
  /** Names what is to be ended; at once when it is too late for it. */
  ends(end: () => void): void
  /** For what is ended by a signal. */
  signal(): AbortSignal
}

/** Cheaper than a signal for everything, and one is made for every request. */
export function createStop(): Stop {
  let isStopped = false
  let end: (() => void) | null = null
  let controller: AbortController | null = null
  return {
    now() {
      isStopped = true
      end?.()
      controller?.abort()
    },
    ends(named) {
      end = named
      if (isStopped) named()
    },
    signal() {
      controller ??= new AbortController()
      if (isStopped) controller.abort()
      return controller.signal
    },
  }
}
