import type { UsageSeries } from '#shared/api/usage.ts'
import { measureOf } from '#web/features/overview/numbers.ts'
import type { Measure } from '#web/features/overview/use-overview.ts'

type Values = UsageSeries['values']

/** Rates are lines; what can be added up is bars. */
export const drawnAs = (measure: Measure): 'bars' | 'lines' => (measure === 'failed' ? 'lines' : 'bars')

const pick = (values: Values, bucket: number) =>
  Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list[bucket] ?? 0]))

const sum = (list: readonly number[] | undefined): number => (list ?? []).reduce((all, value) => all + value, 0)

const whole = (values: Values) => Object.fromEntries(Object.entries(values).map(([name, list]) => [name, sum(list)]))

/** Of no requests no share is known. */
const amountOf = (measure: Measure, values: Record<string, number>): number =>
  measure === 'failed' ? (values.failed ?? 0) / (values.requests || Number.NaN) : measureOf(measure, values)

/** A measure of one series, by bucket and of the whole period. */
export const measured = (measure: Measure, values: Values, buckets: number) => ({
  values: Array.from({ length: buckets }, (_, bucket) => amountOf(measure, pick(values, bucket))),
  total: amountOf(measure, whole(values)),
})

/** All series together. */
export function together(all: readonly Values[]): Values {
  const names = Object.keys(all[0] ?? {})
  return Object.fromEntries(
    names.map((name) => [
      name,
      (all[0]?.[name as keyof Values] ?? []).map((_, at) =>
        sum(all.map((values) => values[name as keyof Values]?.[at] ?? 0)),
      ),
    ]),
  )
}
