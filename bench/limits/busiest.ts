/** A request that was let in: some time between being sent and reaching the upstream. */
export interface Admitted {
  readonly sentAt: number
  readonly arrivedAt: number
  readonly weight: number
}

const windowMs = 60_000

/**
 * The most that was let in within any 60 s: surely (all of it sent after the minute began and arrived before it ended), and as the
 * upstream saw it, where what was on its way for different lengths of time moves together by some milliseconds.
 */
export function busiestMinute(admitted: readonly Admitted[]): { readonly surely: number; readonly seen: number } {
  const most = (beginOf: (one: Admitted) => number) => {
    const begins = [...admitted].sort((a, b) => beginOf(a) - beginOf(b))
    let highest = 0
    for (const first of begins) {
      const from = beginOf(first)
      let sum = 0
      for (const one of admitted) if (beginOf(one) >= from && one.arrivedAt < from + windowMs) sum += one.weight
      highest = Math.max(highest, sum)
    }
    return highest
  }
  return { surely: most(({ sentAt }) => sentAt), seen: most(({ arrivedAt }) => arrivedAt) }
}
