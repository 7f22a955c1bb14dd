import type { Context } from '#server/context.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { readBalances } from '#server/relay/request/callers.store.ts'

const unlimitedAmount = 100_000_000

/** OpenAI's old billing calls: what a token, or the wallet it spends from, has and has used. */
export async function subscription(ctx: Context, caller: Caller) {
  const { remaining, used, unlimited, expiredTime } = await balances(ctx, caller)
  const amount = unlimited ? unlimitedAmount : inUnits(ctx, remaining + used)
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: amount,
    hard_limit_usd: amount,
    system_hard_limit_usd: amount,
    access_until: expiredTime > 0 ? expiredTime : 0,
  }
}

/** In hundredths of the unit, as OpenAI's cents. */
export async function usage(ctx: Context, caller: Caller) {
  const { used } = await balances(ctx, caller)
  return { object: 'list', total_usage: inUnits(ctx, used * 100) }
}

function inUnits(ctx: Context, quota: number): number {
  const { DisplayInCurrencyEnabled, QuotaPerUnit } = ctx.options()
  return DisplayInCurrencyEnabled ? quota / QuotaPerUnit : quota
}

async function balances(ctx: Context, caller: Caller) {
  const row = await readBalances(ctx.database.db, caller.tokenId)
  if (!row) throw refuse('keyInvalid')
  return ctx.options().DisplayTokenStatEnabled
    ? { remaining: row.tokenRemain, used: row.tokenUsed, unlimited: row.unlimited === 1, expiredTime: row.expiredTime }
    : { remaining: row.walletQuota, used: row.walletUsed, unlimited: false, expiredTime: row.expiredTime }
}
