/** Milliseconds since 1970 by a clock that several machines share: their own, set right by what the shared one says. */
export interface SharedClock {
  now(): number
  /** What the shared clock said, asked and answered at these moments of `performance.now()`. */
  follow(sharedMs: number, askedAt: number, answeredAt: number): void
}

/** Smaller differences may be the time the question took. */
const worthMs = 100

/** Milliseconds since 1970 that never go back, even when the machine's clock is set. */
export const steadyNow = (): number => performance.timeOrigin + performance.now()

export function createSharedClock(own: () => number): SharedClock {
  let ahead = 0
  return {
    now: () => own() + ahead,
    follow(sharedMs, askedAt, answeredAt) {
      const elapsed = performance.now() - (askedAt + answeredAt) / 2
      const difference = Math.round(sharedMs + elapsed - own())
      if (Math.abs(difference - ahead) >= Math.max(worthMs, answeredAt - askedAt)) ahead = difference
    },
  }
}
