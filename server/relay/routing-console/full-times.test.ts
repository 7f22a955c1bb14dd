import { expect, test } from 'bun:test'
import { fullTimes, shareOfMinutes } from './full-times.ts'

const quarters = (count: number) => Array.from({ length: count }, (_, at) => ({ from: at * 900, to: (at + 1) * 900 }))

test('a share of minutes goes from none far below the limit to all far above it', () => {
  expect(shareOfMinutes(0, 1)).toBe(0)
  expect(shareOfMinutes(1, 1)).toBeCloseTo(1 - Math.exp(-1), 6)
  expect(shareOfMinutes(2, 20)).toBeLessThan(1e-9)
  expect(shareOfMinutes(40, 20)).toBeGreaterThan(0.99)
  // Both ways of reckoning meet.
  expect(shareOfMinutes(100, 100)).toBeCloseTo(shareOfMinutes(100.01, 100), 1)
  expect(shareOfMinutes(3000, 300)).toBe(1)
})

test('a channel is full where the stretches say so, the longest run first', () => {
  const requests = new Map([
    [2, 15 * 400],
    [7, 15 * 400],
    [8, 15 * 400],
    [20, 15 * 10],
  ])
  expect(fullTimes(requests, quarters(24), 300)).toEqual({
    minutes: 45,
    worst: { from: 7 * 900, to: 9 * 900, minutes: 30 },
  })
})

test('a channel without a limit or far below it is never full', () => {
  expect(fullTimes(new Map([[0, 100_000]]), quarters(4), 0)).toBeNull()
  expect(fullTimes(new Map([[0, 150]]), quarters(4), 300)).toBeNull()
})
