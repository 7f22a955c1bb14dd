import type { usageApi } from '#shared/api/usage.ts'
import type { OutputOf } from '#shared/contract.ts'
import { isTime, measureOf } from '#web/features/overview/numbers.ts'
import type { Measure } from '#web/features/overview/use-overview.ts'

export type SeriesAnswer = OutputOf<typeof usageApi.series>
type Usage = Pick<SeriesAnswer['series'][number], 'values' | 'first_byte'>
type Values = Usage['values']

const pick = (values: Values, bucket: number) =>
  Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list[bucket] ?? 0]))

const sum = (list: readonly number[] | undefined): number => (list ?? []).reduce((all, value) => all + value, 0)

const whole = (values: Values) => Object.fromEntries(Object.entries(values).map(([name, list]) => [name, sum(list)]))

/** Of no requests no share is known. */
const amountOf = (measure: Measure, values: Record<string, number>): number =>
  measure === 'failed' ? (values.failed ?? 0) / (values.requests || Number.NaN) : measureOf(measure, values)

const inSeconds = (ms: number | null | undefined): number => (ms == null ? Number.NaN : ms / 1000)

/** A measure of one series, by bucket and of the whole period; not a number where nothing is known. */
export function measured(measure: Measure, { values, first_byte }: Usage, buckets: number) {
  const each = Array.from({ length: buckets }, (_, bucket) => bucket)
  if (isTime(measure)) {
    const isMedian = measure === 'first_byte_p50'
    const list = isMedian ? first_byte?.p50_ms : first_byte?.p95_ms
    return {
      values: each.map((bucket) => inSeconds(list?.[bucket])),
      total: inSeconds(isMedian ? first_byte?.period_p50_ms : first_byte?.period_p95_ms),
    }
  }
  return {
    values: each.map((bucket) => amountOf(measure, pick(values, bucket))),
    total: amountOf(measure, whole(values)),
  }
}

/** All series together. */
export function together({ series, first_byte }: Pick<SeriesAnswer, 'series' | 'first_byte'>): Usage {
  const all = series.map(({ values }) => values)
  const values = Object.fromEntries(
    Object.entries(all[0] ?? {}).map(([name, list]) => [
      name,
      list.map((_, at) => sum(all.map((each) => each[name]?.[at] ?? 0))),
    ]),
  )
  return { values, first_byte }
}
