import { expect, test } from 'bun:test'
import { brokenLimit, countRequest, emptyWindow } from './limit-window.ts'

const limits = { rpm: 2, tpm: 100, parallel: 0 }
const second = 1000
const hour = 3600 * second
const now = 500_000 * hour

test('a clock that is set back by hours refuses for a minute more, and not for hours', () => {
  const window = emptyWindow()
  countRequest(window, now, { requests: 1, tokens: 30 })
  countRequest(window, now + second, { requests: 1, tokens: 30 })
  const back = now - 3 * hour
  const refused = brokenLimit(limits, window, 0, { now: back, tokens: 10 })
  expect(refused).toEqual({ limit: 'rpm', waitMs: 60 * second })
  expect(brokenLimit(limits, window, 0, { now: back + 59 * second, tokens: 10 })).toMatchObject({ limit: 'rpm' })
  expect(brokenLimit(limits, window, 0, { now: back + 60 * second, tokens: 10 })).toBeNull()
  expect(window).toEqual(emptyWindow())
})

test('what was admitted before the clock ran ahead keeps its own minute', () => {
  const window = emptyWindow()
  countRequest(window, now, { requests: 1, tokens: 30 })
  countRequest(window, now + 3 * hour, { requests: 1, tokens: 30 })
  expect(brokenLimit(limits, window, 0, { now: now + 30 * second, tokens: 10 })).toMatchObject({ waitMs: 30 * second })
  expect(brokenLimit(limits, window, 0, { now: now + 60 * second, tokens: 10 })).toBeNull()
  expect(window).toMatchObject({ requests: 1, tokens: 30 })
})
