import { expect, test } from 'bun:test'
import { sortedInPortions } from './sorted-in-portions.ts'

test.each([0, 1, 499, 500, 501, 1500, 12_345])(
  '%d things are in the order of toSorted, equals as they came',
  async (many) => {
    const things = Array.from({ length: many }, (_, at) => ({ at, rank: (at * 7919) % 101 }))
    const compare = (a: { rank: number }, b: { rank: number }) => a.rank - b.rank
    expect(await sortedInPortions(things, compare)).toEqual(things.toSorted(compare))
  },
)
