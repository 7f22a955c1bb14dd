import { expect, test } from 'bun:test'
import { periodOf } from './period.ts'

const now = Date.parse('2026-11-13T14:28:07Z') / 1000
const none = { from: 0, to: 0 }
const day = 86_400

test('periods end with the quarter hour that runs and are compared with the same weekdays', () => {
  for (const [name, weeks] of [
    ['24h', 1],
    ['7d', 1],
    ['30d', 5],
    ['90d', 13],
  ] as const) {
    const period = periodOf(name, now, none)
    expect(period.to).toBe(Date.parse('2026-11-13T14:30:00Z') / 1000)
    expect((period.from - period.compareFrom) / day).toBe(weeks * 7)
  }
})

test('a chosen period is cut into at most a hundred steps', () => {
  expect(periodOf('custom', now, { from: 0, to: 2 * day }).step).toBe('half_hour')
  expect(periodOf('custom', now, { from: 0, to: 80 * day }).step).toBe('day')
  expect(periodOf('custom', now, { from: 0, to: 300 * day }).step).toBe('week')
  expect(periodOf('custom', now, { from: 0, to: 3000 * day }).step).toBe('month')
})
