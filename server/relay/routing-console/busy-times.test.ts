import { expect, test } from 'bun:test'
import { stepFor, stretchesOf } from './busy-times.ts'

test('stretches begin on the clock and cover the time without a gap', () => {
  expect(stretchesOf(100, 2000, 900)).toEqual([
    { from: 100, to: 900 },
    { from: 900, to: 1800 },
    { from: 1800, to: 2000 },
  ])
  expect(stretchesOf(900, 1800, 900)).toEqual([{ from: 900, to: 1800 }])
  expect(stretchesOf(10, 20, 900)).toEqual([{ from: 10, to: 20 }])
})

test('however long a time is, it has few stretches', () => {
  expect(stepFor(0, 7 * 86_400)).toBe(900)
  expect(stepFor(0, 90 * 86_400)).toBe(3600)
  expect(stepFor(0, 365 * 86_400)).toBe(86_400)
})
