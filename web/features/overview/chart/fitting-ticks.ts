interface Tick {
  readonly bucket: number
  readonly word: string
  readonly anchor: 'middle' | 'end'
}

/** A word this near to the right edge ends at its bucket. */
const edge = 28
const gap = 6
const narrow = 7
const wide = 12

const widthOf = (word: string): number =>
  [...word].reduce((sum, letter) => sum + (letter > '\u2e7f' ? wide : narrow), 0)

/** Of the words under the buckets those that stand clear of each other. The last one always stands. */
export function fittingTicks(
  ticks: readonly (string | null)[],
  middle: (bucket: number) => number,
  width: number,
): readonly Tick[] {
  let free = Number.POSITIVE_INFINITY
  return ticks
    .map((word, bucket) => ({ word, bucket }))
    .reverse()
    .flatMap(({ word, bucket }): Tick[] => {
      if (word === null) return []
      const x = middle(bucket)
      const anchor = x > width - edge ? 'end' : 'middle'
      const room = widthOf(word)
      const right = anchor === 'end' ? x : x + room / 2
      if (right > free) return []
      free = right - room - gap
      return [{ bucket, word, anchor }]
    })
    .reverse()
}
