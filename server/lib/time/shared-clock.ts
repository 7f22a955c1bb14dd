/** Milliseconds since 1970 by a clock that several machines share: their own, set right by what the shared one says. */
export interface SharedClock {
  now(): number
  /** What the shared clock said, asked and answered at these moments of `performance.now()`. */
  follow(sharedMs: number, askedAt: number, answeredAt: number): void
}

/** Smaller differences are the way there and back, not the clock. */
const worthMs = 100

/** Milliseconds since 1970 that only ever pass, whatever becomes of the machine's clock. */
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
