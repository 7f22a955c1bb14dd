import { expect, test } from 'bun:test'
import { datesOf, trafficOf } from './traffic.ts'

const noon = new Date(2026, 10, 17, 12).getTime() / 1000

test('a week of traffic is seven days of the calendar, today the last, and is named by them', () => {
  const week = trafficOf(7, noon)
  expect(week).toEqual({ from: new Date(2026, 10, 11).getTime() / 1000, to: noon + 1 })
  expect(datesOf(week, 'en-GB').replace(/\s*[–-]\s*/, '–')).toBe('11–17 November')
})

test('a day of traffic is the last 24 hours', () => {
  expect(trafficOf(1, noon)).toEqual({ from: noon + 1 - 86_400, to: noon + 1 })
})
