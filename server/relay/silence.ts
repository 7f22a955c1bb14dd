import type { UpstreamAnswer } from './attempt.ts'

/** Listens to an upstream and ends it when nothing has come for too long. */
export interface Silence {
  stalled(): boolean
  /** Something came. */
  heard(): void
  /** The next sign must come within this time. */
  expect(ms: number): void
  stop(): void
}

/** `firstMs` is how long the first sign may take, where that is another time. */
export function watchSilence(answer: UpstreamAnswer, idleMs: number, firstMs = idleMs): Silence {
  let stalled = false
  let waitsMs = firstMs
  let timer = setTimeout(fire, firstMs)
  function fire() {
    stalled = true
    answer.abort()
  }
  const expect = (ms: number) => {
    clearTimeout(timer)
    waitsMs = ms
    timer = setTimeout(fire, ms)
  }
  return {
    stalled: () => stalled,
    heard() {
      if (waitsMs === idleMs) timer.refresh()
      else expect(idleMs)
    },
    expect,
    stop: () => clearTimeout(timer),
  }
}
