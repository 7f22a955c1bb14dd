/** How late timers fire: the delay of everything that waits for the event loop. */
export interface LoopLag {
  /** The longest delay since the last call, in seconds. */
  take(): number
  stop(): void
}

const everyMs = 500

export function watchLoopLag(now: () => number = () => performance.now()): LoopLag {
  let worst = 0
  let expected = now() + everyMs
  const timer = setInterval(() => {
    worst = Math.max(worst, now() - expected)
    expected = now() + everyMs
  }, everyMs)
  timer.unref()
  return {
    take() {
      const seen = Math.max(worst, now() - expected, 0) / 1000
      worst = 0
      return seen
    },
    stop: () => clearInterval(timer),
  }
}
