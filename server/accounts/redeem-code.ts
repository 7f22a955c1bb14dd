import { book } from '#server/billing/ledger/book.ts'
import { loggedAmount } from '#server/billing/pricing/spell-amount.ts'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { writeLog } from '#server/db/logs/log-rows.ts'
import { transact } from '#server/db/transact.ts'
import { countingGuess } from '#server/http/attempts.ts'
import type { Actor, UserCall } from '#server/http/call.ts'
import { AppError } from '#shared/errors.ts'
import { logType, redemptionStatus } from '#shared/statuses.ts'
import { keysOfCode } from './redemption-code.ts'

/**
 * Redeems a code into the user's wallet, or that of a team; returns the added quota. Guessing is limited by address and by
 * account.
 */
export async function redeemCode(call: UserCall<{ key: string }>, teamId?: number): Promise<number> {
  const { ctx, actor, input } = call
  if (input.key === '') throw new AppError('topup.empty')
  const guess = { account: `top-up:${actor.id}`, trusted: false, isWrong }
  return countingGuess(call, guess, () => redeem(ctx, actor, input.key, teamId))
}

const isWrong = (error: unknown): boolean => error instanceof AppError && error.code.startsWith('topup.')

async function redeem(ctx: Context, actor: Actor, key: string, teamId: number | undefined): Promise<number> {
  const at = epochSeconds(ctx)
  const keys = keysOfCode(ctx.secrets, key)
  return transact(ctx, async (tx, announce) => {
    const code = await takeCode(tx, { keys, userId: actor.id, at })
    if (!code) throw await refusal(tx, keys)
    const wallet = { userId: actor.id, ...(teamId === undefined ? {} : { teamId }) }
    await book(tx, { ...wallet, kind: 'top-up', amount: code.quota, ref: `redemption:${code.id}`, at })
    const money = loggedAmount(ctx.options(), code.quota)
    await writeLog(tx, {
      userId: actor.id,
      username: actor.username,
      type: logType.topUp,
      event:
        teamId === undefined
          ? { code: 'money.code', values: { money } }
          : { code: 'money.team_code', values: { money, team: teamId } },
      quota: code.quota,
      teamId,
      at,
    })
    announce(teamId === undefined ? { topic: 'user', id: actor.id } : { topic: 'team', id: teamId })
    return code.quota
  })
}

async function refusal(tx: Tx, keys: readonly string[]): Promise<AppError> {
  const code = await tx.selectFrom('redemptions').select('status').where('key', 'in', keys).executeTakeFirst()
  if (!code) return new AppError('topup.invalid')
  if (code.status === redemptionStatus.unused) return new AppError('topup.expired')
  return new AppError(code.status === redemptionStatus.disabled ? 'topup.disabled' : 'topup.used')
}

/** Marks a code as used. Of any number of concurrent callers, one succeeds. */
const takeCode = (
  tx: Tx,
  { keys, userId, at }: { keys: readonly string[]; userId: number; at: number },
): Promise<{ id: number; quota: number } | undefined> =>
  tx
    .updateTable('redemptions')
    .set({ status: redemptionStatus.used, redeemed_time: at, redeemed_by: userId })
    .where('key', 'in', keys)
    .where('status', '=', redemptionStatus.unused)
    .where(({ or, eb }) => or([eb('expired_time', '=', 0), eb('expired_time', '>', at)]))
    .returning(['id', 'quota'])
    .executeTakeFirst()
