import { expect, test } from 'bun:test'
import { dayStart, rangeOf, usualRange } from './custom-range.ts'

test('only days that exist are taken, and only in their order', () => {
  expect(dayStart('2026-02-30')).toBeNull()
  expect(dayStart('2026-2-3')).toBeNull()
  expect(dayStart(' 2026-02-03 ')).toBe(new Date(2026, 1, 3).getTime() / 1000)
  expect(rangeOf('2026-11-12', '2026-11-02')).toBeNull()
  expect(rangeOf('2026-11-02', '2026-11-02')).toEqual({
    from: new Date(2026, 10, 2).getTime() / 1000,
    to: new Date(2026, 10, 3).getTime() / 1000,
  })
})

test('a week begins on Monday, and the last month of January is December', () => {
  expect(usualRange('week', new Date(2026, 10, 15))).toEqual(['2026-11-09', '2026-11-15'])
  expect(usualRange('month', new Date(2026, 10, 15))).toEqual(['2026-11-01', '2026-11-15'])
  expect(usualRange('lastMonth', new Date(2027, 0, 31))).toEqual(['2026-12-01', '2026-12-31'])
})
