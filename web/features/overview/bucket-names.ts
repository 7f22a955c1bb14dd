import type { UsageStep } from '#shared/api/usage.ts'
import { formatDate, formatMinute } from '#web/lib/format.ts'

const isLong = (step: UsageStep): boolean => step === 'day' || step === 'week' || step === 'month'

export const bucketNames = (buckets: readonly number[], step: UsageStep): string[] =>
  buckets.map((at) => (isLong(step) ? formatDate(at) : formatMinute(at)))

/** Days are named on Mondays, hours at midnight or every sixth one. */
export function bucketTicks(buckets: readonly number[], step: UsageStep): (string | null)[] {
  return buckets.map((at, index) => {
    const date = new Date(at * 1000)
    if (step === 'day') return date.getDay() === 1 ? formatDate(at).slice(5) : null
    if (step === 'half_hour')
      return date.getMinutes() === 0 && date.getHours() % 4 === 0 ? formatMinute(at).slice(11) : null
    if (step === 'hour' || step === 'quarter_day') return date.getHours() === 0 ? formatDate(at).slice(5) : null
    return index % Math.max(1, Math.ceil(buckets.length / 12)) === 0 ? formatDate(at) : null
  })
}
