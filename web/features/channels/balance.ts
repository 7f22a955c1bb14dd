import { type BalanceUnit, channelTypeOf } from '#shared/channel-types.ts'
import { formatQuota } from '#shared/quota.ts'
import type { QuotaDisplay } from '#web/lib/format.ts'

const formats: Record<BalanceUnit, (balance: number, display: QuotaDisplay) => string> = {
  usd: (balance) => `$${balance.toFixed(2)}`,
  yuan: (balance) => `¥${balance.toFixed(2)}`,
  'yuan-per-10000': (balance) => `¥${(balance / 10_000).toFixed(2)}`,
  quota: formatQuota,
}

/** A channel's balance in its provider's unit; `null` where the provider reports none. */
export function balanceText(type: number, balance: number, display: QuotaDisplay): string | null {
  const unit = channelTypeOf(type)?.balanceUnit
  return unit ? formats[unit](balance, display) : null
}
