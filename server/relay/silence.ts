/** Listens to an upstream and ends it when nothing has come for too long. */
export interface Silence {
  stalled(): boolean
  /** Something came. */
  heard(): void
  /** The next sign must come within this time. */
  expect(ms: number): void
  /** Nobody listens for now: the client takes its time. */
  pause(): void
  resume(): void
  stop(): void
}

/** `firstMs` is how long the first sign may take; `end` ends the upstream. One timer serves a request from start to end. */
export function watchSilence(end: () => void, idleMs: number, firstMs: number): Silence {
  let stalled = false
  let listening = true
  let waitsMs = firstMs
  let timer = setTimeout(fire, firstMs)
  function fire() {
    if (!listening) return
    stalled = true
    end()
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
    pause() {
      listening = false
    },
    resume() {
      listening = true
      timer.refresh()
    },
    stop: () => clearTimeout(timer),
  }
}
