import { redeemCode } from '#server/accounts/redeem-code.ts'
import { balanceForUpdate, book } from '#server/billing/ledger/book.ts'
import { loggedAmount } from '#server/billing/pricing/spell-amount.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { writeLog } from '#server/db/logs/log-rows.ts'
import { transact } from '#server/db/transact.ts'
import type { UserCall } from '#server/http/call.ts'
import { timeOrderedId } from '#server/lib/random.ts'
import { AppError } from '#shared/errors.ts'
import type { LogEvent } from '#shared/log-events.ts'
import { logType } from '#shared/statuses.ts'
import { requireIn } from './team-rights.ts'
import { giftsReceived } from './teams.store.ts'

/** A redemption code into the wallet of the team; returns the number added. */
export async function topUpTeam(call: UserCall<{ id: number; key: string }>): Promise<number> {
  await requireIn(call.ctx.database.db, call.actor, call.input.id)
  return redeemCode(call, call.input.id)
}

/** Own balance into the wallet of the team. What is held or was a gift stays. */
export async function transfer({ ctx, actor, input }: UserCall<{ id: number; quota: number }>): Promise<number> {
  const { id: teamId, quota } = input
  const at = epochSeconds(ctx)
  return transact(ctx, async (tx, announce) => {
    await requireIn(tx, actor, teamId)
    const balance = await balanceForUpdate(tx, { userId: actor.id })
    await requireNoBudget(tx, actor.id)
    const held = ctx.ledger.heldInMemoryOf('user', actor.id).amount
    const limit = Math.max(0, balance - held - (await giftsReceived(tx, actor.id)))
    if (quota > limit) throw new AppError('team.transfer_too_much', { limit })
    const ref = `transfer:${timeOrderedId(ctx.clock())}`
    const cause = { userId: actor.id, kind: 'transfer' as const, at }
    await book(tx, { ...cause, amount: -quota, ref })
    await book(tx, { ...cause, teamId, amount: quota, ref: `${ref}:in` })
    const values = { money: loggedAmount(ctx.options(), quota), team: teamId }
    const who = { userId: actor.id, username: actor.username }
    const event: LogEvent = { code: 'money.transferred', values }
    await writeLog(tx, { ...who, type: logType.topUp, teamId, quota, event, at })
    announce({ topic: 'user', id: actor.id })
    announce({ topic: 'team', id: teamId })
    return quota
  })
}

/** A budget bounds what its user spends: in a team's wallet, others could spend the rest. The row is locked. */
async function requireNoBudget(tx: Tx, userId: number): Promise<void> {
  const { budget } = await tx.selectFrom('users').select('budget').where('id', '=', userId).executeTakeFirstOrThrow()
  if (budget > 0) throw new AppError('team.transfer_budget')
}
