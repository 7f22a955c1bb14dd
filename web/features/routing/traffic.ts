import type { Days } from './use-draft.ts'

const daySeconds = 86_400

/** Epoch seconds. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The last 24 hours, or whole days of the reader of which today is the last. */
export function trafficOf(days: Days, now: number): TimeRange {
  const to = now + 1
  if (days === 1) return { from: to - daySeconds, to }
  const start = new Date(now * 1000)
  start.setHours(0, 0, 0, 0)
  start.setDate(start.getDate() - days + 1)
  return { from: start.getTime() / 1000, to }
}

/** 11–17 November */
export const datesOf = ({ from, to }: TimeRange, tag: string): string =>
  new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long' }).formatRange(from * 1000, (to - 1) * 1000)
