import type { LogValue } from '#shared/log-events.ts'
import type { OptionValues } from '#shared/options.ts'
import { spellQuota } from '#shared/quota.ts'

type Display = Pick<OptionValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>

/** Quota in the words of mails, as the operator has chosen to show it. */
export const spellAmount = (options: Display, quota: number): string =>
  spellQuota(quota, { inCurrency: options.DisplayInCurrencyEnabled, quotaPerUnit: options.QuotaPerUnit })

/** The same in an event of the log, for every language. */
export const loggedAmount = (options: Display, quota: number): LogValue =>
  options.DisplayInCurrencyEnabled ? spellAmount(options, quota) : [{ code: 'part.points', values: { points: quota } }]
