import type { ForeignCode, ForeignLog, ForeignTopUp } from '#server/import/form.ts'
import { codeFields, logFields } from '#server/import/source/family-rows.ts'
import { numberOf, parseObject } from '#server/lib/json.ts'
import { quotaPerUnit } from './quota-unit.ts'
import type { SourceLog, SourceRedemption, SourceTopUp } from './rows.ts'

export const codeOf = (code: SourceRedemption): ForeignCode => ({
  ...codeFields(code),
  isDeleted: code.deleted_at,
  redeemedBy: code.used_user_id,
  expiredTime: code.expired_time,
})

const paid = 'success'

/** Depending on the payment method the amount is in dollars, in quota, or computed from the payment. */
export function topUpOf(topUp: SourceTopUp, saved: ReadonlyMap<string, string>): ForeignTopUp {
  const unit = quotaPerUnit(saved)
  const way = topUp.payment_provider || topUp.payment_method
  const quota = way === 'creem' ? topUp.amount : (way === 'stripe' ? topUp.money : topUp.amount) * unit
  return {
    id: topUp.id,
    userId: topUp.user_id,
    quota: topUp.status === paid ? Math.trunc(quota) : 0,
    at: topUp.complete_time || topUp.create_time,
  }
}

export const logOf = (row: SourceLog): ForeignLog => ({
  ...logFields(row),
  tokenId: row.token_id,
  cachedTokens: Math.trunc(numberOf(parseObject(row.other).cache_tokens) ?? 0),
  requestId: row.request_id,
  durationMs: row.use_time * 1000,
  group: row.group,
})
