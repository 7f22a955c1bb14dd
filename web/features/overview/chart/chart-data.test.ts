import { expect, test } from 'bun:test'
import { measured, together } from './chart-data.ts'

const one = { requests: [10, 0, 30], failed: [1, 0, 0], quota: [5, 0, 7] }
const other = { requests: [10, 0, 10], failed: [3, 0, 0], quota: [1, 0, 2] }

test('sums of series are added up, by bucket and as a whole', () => {
  expect(measured('quota', together([one, other]), 3)).toEqual({ values: [6, 0, 9], total: 15 })
})

test('a share is that of all requests, not a sum of shares, and unknown where there are none', () => {
  const { values, total } = measured('failed', together([one, other]), 3)
  expect(values[0]).toBe(0.2)
  expect(values[1]).toBeNaN()
  expect(values[2]).toBe(0)
  expect(total).toBeCloseTo(4 / 60)
})
