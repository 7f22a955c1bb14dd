import type { UsageTotals } from '#shared/api/usage.ts'
import { compactCount, formatQuota } from '#shared/quota.ts'
import { formatCount, type QuotaDisplay } from '#web/lib/format.ts'
import { withMinus } from '#web/lib/usd.ts'
import type { Measure } from './use-overview.ts'

/** Two decimals hide what small requests cost. */
export function money(quota: number, display: QuotaDisplay): string {
  const amount = Math.abs(quota) / display.quotaPerUnit
  if (!display.inCurrency || amount === 0 || amount >= 1) return withMinus(formatQuota(quota, display))
  return `${quota < 0 ? '−' : ''}$${amount.toFixed(amount >= 0.01 ? 4 : 6)}`
}

export const percent = (share: number, digits = 1): string => withMinus(`${(share * 100).toFixed(digits)} %`)

/** All of it needs no decimals. */
export const percentOfAll = (share: number): string => percent(share, share === 1 ? 0 : 2)

/** ↑ 9.1 %; null when there is nothing to compare with. */
export function changeOf(now: number, before: number | undefined): string | null {
  if (before === undefined || before === 0) return null
  const change = (now - before) / Math.abs(before)
  return `${change < 0 ? '↓' : '↑'} ${percent(Math.abs(change))}`
}

/** How long something took, in seconds. */
export const isTime = (measure: Measure): measure is 'first_byte_p50' | 'first_byte_p95' =>
  measure === 'first_byte_p50' || measure === 'first_byte_p95'

/** Rates and times are lines; what can be added up is bars. */
export const drawnAs = (measure: Measure): 'bars' | 'lines' =>
  measure === 'failed' || isTime(measure) ? 'lines' : 'bars'

const isMoney = (measure: Measure): boolean => measure === 'quota' || measure === 'cost' || measure === 'profit'

export const formatMeasure =
  (measure: Measure, display: QuotaDisplay) =>
  (value: number): string => {
    if (Number.isNaN(value)) return '–'
    if (measure === 'failed') return percent(value, 2)
    if (isTime(measure)) return inSeconds(value)
    if (isMoney(measure)) return money(Math.round(value), display)
    return Math.abs(value) >= 1_000_000 ? compactCount(Math.round(value)) : formatCount(Math.round(value))
  }

type Values = Partial<Record<string, number>>

export const measureOf = (measure: Measure, values: Values | UsageTotals): number => {
  const read = values as Values
  return measure === 'tokens' ? (read.prompt_tokens ?? 0) + (read.completion_tokens ?? 0) : (read[measure] ?? 0)
}

/** The order of the server that comes nearest to what is shown. */
export const orderOf = (measure: Measure): string =>
  measure === 'tokens' ? 'prompt_tokens' : isTime(measure) ? 'requests' : measure

const inSeconds = (value: number): string => `${value.toFixed(2)} s`

export const seconds = (ms: number | null, none: string): string => (ms === null ? none : inSeconds(ms / 1000))
