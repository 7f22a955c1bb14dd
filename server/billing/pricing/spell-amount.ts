import type { OptionValues } from '#shared/options.ts'
import { spellQuota } from '#shared/quota.ts'

/** Quota in the words of log rows and mails, as the operator has chosen to show it. */
export const spellAmount = (
  options: Pick<OptionValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>,
  quota: number,
): string => spellQuota(quota, { inCurrency: options.DisplayInCurrencyEnabled, quotaPerUnit: options.QuotaPerUnit })
