import { expect, test } from 'bun:test'
import { formatTime } from '#web/lib/format.ts'
import { parseTime } from './parse-time.ts'

test('a time as the console writes it is read back', () => {
  const at = 1_790_000_123
  expect(parseTime(formatTime(at))).toBe(at)
})

test('seconds and the whole time may be left out', () => {
  expect(formatTime(parseTime('2026-11-29 10:12') ?? 0)).toBe('2026-11-29 10:12:00')
  expect(formatTime(parseTime(' 2026-11-29 ') ?? 0)).toBe('2026-11-29 00:00:00')
})

test.each([
  '',
  'soon',
  '2026-13-01',
  '2026-02-30 10:00',
  '2026-11-29 25:00',
  '2026-11-29 10:61',
  '2026-11-29 10:00:75',
])('%j is no time', (text) => expect(parseTime(text)).toBeNull())
