import type { UsageStep } from '#shared/api/usage.ts'
import { formatClock, formatMinute } from '#web/lib/format.ts'
import { dayName, isoDate, shortDay } from './day-names.ts'

export const isLong = (step: UsageStep): boolean => step === 'day' || step === 'week' || step === 'month'

/** For files: the same in every language. */
export const bucketCodes = (buckets: readonly number[], step: UsageStep): string[] =>
  buckets.map((at) => (isLong(step) ? isoDate(at) : formatMinute(at)))

export const bucketNames = (buckets: readonly number[], step: UsageStep, style: 'long' | 'short'): string[] =>
  buckets.map((at) => (isLong(step) ? dayName(at, style) : `${dayName(at, 'short')} ${formatClock(at)}`))

/** Days are named on Mondays, hours at midnight or every sixth one; the last bucket while it runs. */
export function bucketTicks(buckets: readonly number[], step: UsageStep, running: string | null): (string | null)[] {
  const last = buckets.length - 1
  return buckets.map((at, index) => {
    const date = new Date(at * 1000)
    if (step === 'day') {
      if (running !== null && index === last) return running
      return date.getDay() === 1 ? shortDay(at) : null
    }
    if (step === 'half_hour') return date.getMinutes() === 0 && date.getHours() % 4 === 0 ? formatClock(at) : null
    if (step === 'hour' || step === 'quarter_day') return date.getHours() === 0 ? shortDay(at) : null
    return index % Math.max(1, Math.ceil(buckets.length / 12)) === 0 ? shortDay(at) : null
  })
}
