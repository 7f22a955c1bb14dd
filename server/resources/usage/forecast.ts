import { type Context, epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import type { UsageFilter } from '#server/db/usage/filter.ts'
import { prepare, readSums } from '#server/db/usage/read.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import { type ZoneBucket, zoneBuckets, zonePeriod } from '#server/lib/time/zone-buckets.ts'
import type { UsageSummary } from '#shared/api/usage.ts'

const weeks = 4
const daysOfUse = 7

/** What was spent in the last weeks on the weekday of the day that lies `ahead` of today. */
const sameWeekday = (past: readonly number[], ahead: number): number[] => {
  const lastWeeks = past.slice(-7 * weeks)
  return lastWeeks.filter((_, at) => (lastWeeks.length + ahead - at) % 7 === 0)
}

function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const place = (sorted.length - 1) * at
  const below = sorted[Math.floor(place)] ?? 0
  const above = sorted[Math.ceil(place)] ?? below
  return below + (above - below) * (place - Math.floor(place))
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** Days of the last weeks and of the month that runs, with what was spent on each. */
async function spentByDay(tx: Tx, filter: UsageFilter, buckets: readonly ZoneBucket[]): Promise<number[]> {
  const spent = buckets.map(() => 0)
  for (const { bucket, quota } of await readSums(tx, await prepare(tx, { filter, buckets, by: null })))
    spent[bucket] = quota
  return spent
}

/**
 * What the month that runs will come to: what is spent, and for each day to come the mean of the same weekday in the last four
 * weeks; `low` and `high` are their quartiles.
 */
export async function forecastOf(
  ctx: Context,
  tx: Tx,
  filter: UsageFilter,
  zone: string,
): Promise<UsageSummary['forecast']> {
  const now = epochSeconds(ctx)
  const month = zonePeriod(zone, 'month', now)
  const today = zonePeriod(zone, 'day', now)
  const firstDay = zonePeriod(zone, 'day', today.from - (7 * weeks - 1) * daySeconds - 43_200).from
  const history = zoneBuckets(zone, 'day', { from: Math.min(firstDay, month.from), to: today.to }, 400) ?? []
  const spent = await spentByDay(tx, filter, history)
  const past = spent.slice(0, -1)
  const used = past.findIndex((quota) => quota > 0)
  const known = used < 0 ? [] : past.slice(used)
  if (known.length < daysOfUse) return null
  const soFar = spent.reduce((sum, quota, at) => sum + ((history[at]?.start ?? 0) >= month.from ? quota : 0), 0)
  const spentToday = spent.at(-1) ?? 0
  const left = zoneBuckets(zone, 'day', { from: today.from, to: month.to }, 40) ?? []
  const total = { quota: soFar - spentToday, low: soFar - spentToday, high: soFar - spentToday }
  for (const ahead of left.keys()) {
    const days = sameWeekday(known, ahead)
    const least = ahead === 0 ? spentToday : 0
    total.quota += Math.max(least, mean(days))
    total.low += Math.max(least, quantile(days, 0.25))
    total.high += Math.max(least, quantile(days, 0.75))
  }
  return { quota: Math.round(total.quota), low: Math.round(total.low), high: Math.round(total.high) }
}
