import { expect, test } from 'bun:test'
import { answeredShare, ticksOf } from './health.ts'

const start = 1_800_000_000
const buckets = [0, 1, 2, 3, 4].map((at) => start + at * 1800)
const none = { buckets, requests: [], failed: [], limited: [], rested: [] }

test('the worst of a half hour is what its tick shows', () => {
  const day = {
    buckets,
    requests: [10, 10, 10, 10, 0],
    failed: [0, 0, 0, 1, 0],
    limited: [start + 1800 + 900, start + 3600, start + 5400],
    rested: [start + 3600 + 900],
  }
  expect(ticksOf(day, false)).toEqual(['answering', 'limited', 'resting', 'failing', 'idle'])
})

test('a rest that goes on is in the last one', () => {
  expect(ticksOf(none, true).at(-1)).toBe('resting')
  expect(ticksOf(none, false).at(-1)).toBe('idle')
})

test('a channel that was not asked is not shown as one that did not answer', () => {
  expect(answeredShare([0, 0], [0, 0])).toBeNull()
  expect(answeredShare([2, 2], [1, 0])).toBe(0.75)
})
