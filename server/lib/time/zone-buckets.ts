import { memoize } from '#server/lib/memoize.ts'
import { daySeconds } from './day.ts'

/** How time is cut into buckets. Weeks begin on Monday. */
export const bucketSteps = ['half_hour', 'hour', 'quarter_day', 'day', 'week', 'month'] as const
export type BucketStep = (typeof bucketSteps)[number]

/** Seconds a zone is ahead of UTC at a time. */
type OffsetAt = (at: number) => number

const numbers = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const

function exactOffset(format: Intl.DateTimeFormat, at: number): number {
  const parts = new Map(format.formatToParts(at * 1000).map(({ type, value }) => [type, Number(value)]))
  const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const wall = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'))
  return Math.round(wall / 1000) - at
}

/** Callers choose zones, and may spell each in thousands of ways; each takes tens of kilobytes. */
const zonesMax = 100

/** Clocks are changed on few days: on all others one look at each end of the day is enough. */
const offsetsOf = memoize(zonesMax, (zone: string): OffsetAt => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...numbers })
  const ends = new Map<number, number>()
  const atDay = (day: number): number => {
    const found = ends.get(day) ?? exactOffset(format, day * daySeconds)
    if (ends.size > 10_000) ends.clear()
    ends.set(day, found)
    return found
  }
  return (at) => {
    if (zone === 'UTC') return 0
    const day = Math.floor(at / daySeconds)
    const before = atDay(day)
    return before === atDay(day + 1) ? before : exactOffset(format, at)
  }
})

/** The first moment at which the clocks of a zone show a time; where they leap over it, the moment of the leap. */
function momentOf(offset: OffsetAt, wall: number): number {
  const before = wall - offset(wall - daySeconds)
  const after = wall - offset(wall + daySeconds)
  const shown = [before, after].filter((at) => at + offset(at) === wall)
  return shown.length > 0 ? Math.min(...shown) : before
}

const monthOf = (wall: number): { year: number; month: number } => {
  const date = new Date(wall * 1000)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() }
}

const firstOf = (year: number, month: number): number => Date.UTC(year, month, 1) / 1000

/** What the clocks show when the bucket of a time begins, `more` buckets later. 1970-01-01 was a Thursday. */
function wallStart(step: BucketStep, wall: number, more: number): number {
  if (step === 'month') {
    const { year, month } = monthOf(wall)
    return firstOf(year, month + more)
  }
  if (step === 'week') {
    const day = Math.floor(wall / daySeconds)
    return (day - ((day + 3) % 7) + 7 * more) * daySeconds
  }
  const length = step === 'day' ? daySeconds : daySeconds / 4
  return (Math.floor(wall / length) + more) * length
}

/** When the bucket that holds a time begins, and the next one. */
function around(offset: OffsetAt, step: BucketStep, at: number): { from: number; to: number } {
  if (step === 'half_hour' || step === 'hour') {
    const length = step === 'hour' ? 3600 : 1800
    const from = at - ((at + offset(at)) % length)
    return { from, to: from + length }
  }
  const wall = at + offset(at)
  return { from: momentOf(offset, wallStart(step, wall, 0)), to: momentOf(offset, wallStart(step, wall, 1)) }
}

/** A bucket with the moment it begins by the calendar, which may lie before its first second that counts. */
export interface ZoneBucket {
  readonly start: number
  readonly from: number
  readonly to: number
}

/** Cuts a stretch of time; null when that makes more than `most` buckets. */
export function zoneBuckets(
  zone: string,
  step: BucketStep,
  { from, to }: { readonly from: number; readonly to: number },
  most: number,
): ZoneBucket[] | null {
  const offset = offsetsOf(zone)
  const buckets: ZoneBucket[] = []
  for (let at = from; at < to; ) {
    const bucket = around(offset, step, at)
    if (buckets.length === most || bucket.to <= at) return null
    // An hour may hold the leap of a clock by half of one: what is left of it begins where the one before ended.
    buckets.push({ start: buckets.length > 0 ? at : bucket.from, from: at, to: Math.min(bucket.to, to) })
    at = bucket.to
  }
  return buckets
}

/** The bucket that holds a time. */
export const zonePeriod = (zone: string, step: BucketStep, at: number) => around(offsetsOf(zone), step, at)

/** The first second of a month written as 2026-11, and of the next one. */
export function zoneMonth(zone: string, month: string): { from: number; to: number } {
  const [year = 1970, number = 1] = month.split('-').map(Number)
  const offset = offsetsOf(zone)
  return { from: momentOf(offset, firstOf(year, number - 1)), to: momentOf(offset, firstOf(year, number)) }
}
