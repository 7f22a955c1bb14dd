import { expect, test } from 'bun:test'
import { createCalendar, periodAt } from './calendar.ts'

const at = (text: string) => Date.parse(text) / 1000
const spoken = (zone: string, period: 'day' | 'week' | 'month', moment: string) => {
  const { from, to } = periodAt(zone, period, at(moment))
  return [new Date(from * 1000).toISOString().slice(0, 19), new Date(to * 1000).toISOString().slice(0, 19)]
}

test.each([
  ['UTC', 'day', '2026-11-16T23:59:59Z', '2026-11-16T00:00:00', '2026-11-17T00:00:00'],
  ['UTC', 'week', '2026-11-16T00:00:00Z', '2026-11-16T00:00:00', '2026-11-23T00:00:00'],
  ['UTC', 'week', '2026-11-15T23:59:59Z', '2026-11-09T00:00:00', '2026-11-16T00:00:00'],
  ['UTC', 'month', '2026-12-31T12:00:00Z', '2026-12-01T00:00:00', '2027-01-01T00:00:00'],
  ['Asia/Shanghai', 'day', '2026-11-15T16:00:00Z', '2026-11-15T16:00:00', '2026-11-16T16:00:00'],
  ['Asia/Shanghai', 'month', '2026-11-30T15:59:59Z', '2026-10-31T16:00:00', '2026-11-30T16:00:00'],
  // Days of 23 and of 25 hours.
  ['Europe/Berlin', 'day', '2026-03-29T10:00:00Z', '2026-03-28T23:00:00', '2026-03-29T22:00:00'],
  ['Europe/Berlin', 'day', '2026-10-25T10:00:00Z', '2026-10-24T22:00:00', '2026-10-25T23:00:00'],
  ['Europe/Berlin', 'month', '2026-03-15T00:00:00Z', '2026-02-28T23:00:00', '2026-03-31T22:00:00'],
  // Summer time begins at midnight: the day begins at one o'clock.
  ['Asia/Beirut', 'day', '2026-03-29T12:00:00Z', '2026-03-28T22:00:00', '2026-03-29T21:00:00'],
  ['Pacific/Kiritimati', 'day', '2026-01-01T10:00:00Z', '2026-01-01T10:00:00', '2026-01-02T10:00:00'],
] as const)('in %s the %s of %s is from %s to %s', (zone, period, moment, from, to) => {
  expect(spoken(zone, period, moment)).toEqual([from, to])
})

test('periods follow each other without a gap, the whole year round', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/Santiago', 'Asia/Kathmandu']) {
    let { to } = periodAt(zone, 'day', at('2026-01-01T12:00:00Z'))
    for (let day = 0; day < 366; day += 1) {
      const next = periodAt(zone, 'day', to)
      expect(next.from).toBe(to)
      to = next.to
    }
  }
})

test('a calendar follows its zone', () => {
  let zone = 'UTC'
  const calendar = createCalendar(() => zone)
  const moment = at('2026-11-16T12:00:00Z')
  expect(calendar('day', moment).from).toBe(at('2026-11-16T00:00:00Z'))
  zone = 'Asia/Shanghai'
  expect(calendar('day', moment).from).toBe(at('2026-11-15T16:00:00Z'))
})
