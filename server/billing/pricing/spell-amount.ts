import type { LogValue } from '#shared/log-events.ts'
import type { OptionValues } from '#shared/options.ts'
import { spellQuota } from '#shared/quota.ts'

export type SpelledBy = Pick<OptionValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>

/** Quota in the words of mails, as the operator has chosen to show it. */
export const spellAmount = (options: SpelledBy, quota: number): string =>
  spellQuota(quota, { inCurrency: options.DisplayInCurrencyEnabled, quotaPerUnit: options.QuotaPerUnit })

/** The same in an event of the log, for every language. */
export const loggedAmount = (options: SpelledBy, quota: number): LogValue =>
  options.DisplayInCurrencyEnabled ? spellAmount(options, quota) : [{ code: 'part.points', values: { points: quota } }]

/** The same in a refusal, which says quota as a bare number. */
export const shownAmount = (options: SpelledBy, quota: number): string =>
  options.DisplayInCurrencyEnabled ? spellAmount(options, quota) : String(quota)
