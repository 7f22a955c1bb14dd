import { expect, spyOn, test } from 'bun:test'
import { zoneBuckets, zoneMonth, zonePeriod } from './zone-buckets.ts'

const at = (text: string) => Date.parse(text) / 1000

test('days follow the clocks of the zone when summer time begins and ends', () => {
  const spring = zoneBuckets(
    'Europe/Berlin',
    'day',
    { from: at('2026-03-28T00:00:00+01:00'), to: at('2026-03-31T00:00:00+02:00') },
    100,
  )
  expect(spring?.map(({ from, to }) => (to - from) / 3600)).toEqual([24, 23, 24])
  const autumn = zoneBuckets(
    'Europe/Berlin',
    'day',
    { from: at('2026-10-24T00:00:00+02:00'), to: at('2026-10-27T00:00:00+01:00') },
    100,
  )
  expect(autumn?.map(({ from, to }) => (to - from) / 3600)).toEqual([24, 25, 24])
})

test('quarters of a day are six hours of the clock', () => {
  const quarters = zoneBuckets(
    'Europe/Berlin',
    'quarter_day',
    { from: at('2026-03-29T00:00:00+01:00'), to: at('2026-03-30T00:00:00+02:00') },
    100,
  )
  expect(quarters?.map(({ from, to }) => (to - from) / 3600)).toEqual([5, 6, 6, 6])
})

test('a zone that is a quarter of an hour off has its own hours', () => {
  expect(zonePeriod('Asia/Kathmandu', 'hour', at('2026-05-01T00:20:00Z'))).toEqual({
    from: at('2026-05-01T00:15:00Z'),
    to: at('2026-05-01T01:15:00Z'),
  })
})

test('weeks begin on Monday, months on the first', () => {
  expect(zonePeriod('UTC', 'week', at('2026-11-15T12:00:00Z'))).toEqual({
    from: at('2026-11-09'),
    to: at('2026-11-16'),
  })
  expect(zoneMonth('America/New_York', '2026-11')).toEqual({
    from: at('2026-11-01T00:00:00-04:00'),
    to: at('2026-12-01T00:00:00-05:00'),
  })
})

test('a day that begins at one o’clock begins at the leap', () => {
  expect(zonePeriod('Africa/Cairo', 'day', at('2026-04-24T12:00:00+03:00')).from).toBe(at('2026-04-24T01:00:00+03:00'))
})

test('buckets meet without gaps, the first and the last may be cut', () => {
  const from = at('2026-01-15T10:07:00Z')
  const to = at('2026-12-03T05:00:00Z')
  for (const zone of ['UTC', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia']) {
    for (const step of ['hour', 'quarter_day', 'day', 'week', 'month'] as const) {
      const buckets = zoneBuckets(zone, step, { from, to }, 10_000) ?? []
      expect(buckets[0]?.from).toBe(from)
      expect(buckets.at(-1)?.to).toBe(to)
      for (const [i, bucket] of buckets.entries()) expect(bucket.to).toBe(buckets[i + 1]?.from ?? to)
      for (const bucket of buckets.slice(1)) expect(bucket.start).toBe(bucket.from)
    }
  }
})

test('too many buckets are refused', () => {
  expect(zoneBuckets('UTC', 'hour', { from: 0, to: 3600 * 101 }, 100)).toBeNull()
})

test('the cache of time zones is bounded, however many spellings callers use', () => {
  const made = spyOn(Intl, 'DateTimeFormat')
  const spelled = (at: number) =>
    [...'antarctica/troll'].map((letter, place) => ((at >> place) & 1 ? letter.toUpperCase() : letter)).join('')
  const look = (zone: string) => zonePeriod(zone, 'day', 0)
  look('Europe/Paris')
  const before = made.mock.calls.length
  look('Europe/Paris')
  expect(made.mock.calls).toHaveLength(before)
  for (let at = 0; at < 200; at++) look(spelled(at))
  look('Europe/Paris')
  expect(made.mock.calls).toHaveLength(before + 201)
  made.mockRestore()
})
