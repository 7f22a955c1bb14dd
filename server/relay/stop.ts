/** Ends what a request has under way, whatever that is. Works once. */
export interface Stop {
  now(): void
  /** Something more that is to be ended; at once when it is too late for it. */
  also(end: () => void): void
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
    also(added) {
      end = added
      if (isStopped) added()
    },
    signal() {
      controller ??= new AbortController()
      if (isStopped) controller.abort()
      return controller.signal
    },
  }
}
