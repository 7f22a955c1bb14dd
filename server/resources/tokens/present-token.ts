import { showBudget } from '#server/billing/ledger/budgets/show-budget.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import type { Token } from '#shared/api/tokens.ts'
import type { TokenRow } from './tokens.store.ts'

/** A token as its reader may see it: nobody but its owner gets the key. */
export function presentToken(
  ctx: Pick<Context, 'secrets' | 'options' | 'clock'>,
  reader: { readonly id: number },
  row: TokenRow,
): Token {
  const at = epochSeconds(ctx)
  return {
    ...row,
    ...showBudget(row, { zone: ctx.options().TimeZone, at }),
    key: row.user_id === reader.id ? ctx.secrets.open(row.key_sealed) : '',
    unlimited_quota: row.unlimited_quota === 1,
    previous_key_expires: row.previous_key_expires > at ? row.previous_key_expires : 0,
  }
}

/** The same with what counts on its limits now. */
export async function presentTokenInUse(ctx: Context, reader: { readonly id: number }, row: TokenRow): Promise<Token> {
  const use = await ctx.ledger.limitUse('token', row.id, ctx.clock())
  return {
    ...presentToken(ctx, reader, row),
    rpm_used: use.requests,
    tpm_used: use.tokens,
    parallel_used: use.running,
  }
}
