import { daySeconds } from './day.ts'

/** Weeks begin on Monday. */
export type CalendarPeriod = 'day' | 'week' | 'month'

/** From the first second up to, but not including, the last; epoch seconds. */
export interface Period {
  readonly from: number
  readonly to: number
}

export type PeriodOf = (period: CalendarPeriod, at: number) => Period

/** A day of the calendar as a number: days since 1970-01-01, whatever the zone. */
type Day = number

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric', month: 'numeric', day: 'numeric' })
  formats.set(zone, format)
  return format
}

const dayNumber = (year: number, month: number, day: number): Day =>
  Math.floor(Date.UTC(year, month, day) / 1000 / daySeconds)

/** The day it is in a zone. */
function dayIn(zone: string, at: number): Day {
  const parts = formatOf(zone).formatToParts(at * 1000)
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  return dayNumber(read('year'), read('month') - 1, read('day'))
}

/** The first second of a day in a zone. A day may begin at one o'clock where summer time begins at midnight. */
function beginningOf(zone: string, day: Day): number {
  let before = day * daySeconds - 16 * 3600
  let within = day * daySeconds + 16 * 3600
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (dayIn(zone, middle) < day) before = middle
    else within = middle
  }
  return within
}

/** The days a period begins and the next one does. 1970-01-01 was a Thursday. */
function daysOf(period: CalendarPeriod, day: Day): { first: Day; next: Day } {
  if (period === 'day') return { first: day, next: day + 1 }
  if (period === 'week') {
    const first = day - ((day + 3) % 7)
    return { first, next: first + 7 }
  }
  const date = new Date(day * daySeconds * 1000)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  return { first: dayNumber(year, month, 1), next: dayNumber(year, month + 1, 1) }
}

export function periodAt(zone: string, period: CalendarPeriod, at: number): Period {
  const { first, next } = daysOf(period, dayIn(zone, at))
  return { from: beginningOf(zone, first), to: beginningOf(zone, next) }
}

/** Remembers the periods that run: they are asked for with every request. */
export function createCalendar(zone: () => string): PeriodOf {
  const running = new Map<string, Period>()
  return (period, at) => {
    const key = `${zone()} ${period}`
    const known = running.get(key)
    if (known && at >= known.from && at < known.to) return known
    const found = periodAt(zone(), period, at)
    running.set(key, found)
    return found
  }
}

const calendars = new Map<string, PeriodOf>()

/** The calendar of a zone. */
export function calendarOf(zone: string): PeriodOf {
  const known = calendars.get(zone)
  if (known) return known
  const calendar = createCalendar(() => zone)
  calendars.set(zone, calendar)
  return calendar
}
