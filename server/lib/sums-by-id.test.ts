import { expect, test } from 'bun:test'
import { createSums } from './sums-by-id.ts'

test('sums are kept by id, however far apart the ids lie', () => {
  const sums = createSums()
  for (const [id, amount] of [
    [1, 5],
    [1, -2],
    [1024, 7],
    [9_007_199_254_740_991, 3],
    [-1, 4],
  ] as const)
    sums.add(id, amount)
  expect([1, 2, 1023, 1024, 9_007_199_254_740_991, -1, 0].map(sums.get)).toEqual([3, 0, 0, 7, 3, 4, 0])
  expect(sums.highest()).toBe(9_007_199_254_740_991)
})

test('a sum that comes to nothing is 0', () => {
  const sums = createSums()
  sums.add(7, 10)
  sums.add(7, -10)
  expect(sums.get(7)).toBe(0)
})
