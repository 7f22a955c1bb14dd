import type { Db, Tx } from '#server/db/database.ts'
import type { PeriodOf } from '#server/lib/time/calendar.ts'
import { bookBudgetPeriod, recountBudget } from './budget-sums.ts'
import { requestRecount } from './recount-budgets.ts'

/** A user in a team, or one who was. */
export interface Seat {
  readonly teamId: number
  readonly userId: number
}

interface Calendar {
  readonly periodOf: PeriodOf
  readonly at: number
}

/** The membership whose budget counts what somebody spends in a team; 0: his own. */
export async function sharedBudget(db: Db | Tx, { teamId, userId }: Seat): Promise<number> {
  const share = await db
    .selectFrom('team_budget_shares')
    .select('member_id')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return share?.member_id ?? 0
}

/** Counts anew what was used of a membership's budget, which has other spenders now. */
async function recount(tx: Tx, memberId: number, calendar?: Calendar): Promise<void> {
  if (calendar) await recountPeriod(tx, memberId, calendar)
  else await recountBudget(tx, 'member', memberId)
  // A sum that is being made without a lock is out of date.
  await requestRecount(tx, 'member', memberId)
}

async function recountPeriod(tx: Tx, memberId: number, calendar: Calendar): Promise<void> {
  const member = await tx
    .selectFrom('team_members')
    .select('budget_period')
    .where('id', '=', memberId)
    .executeTakeFirst()
  if (member) await bookBudgetPeriod(tx, 'member', memberId, { period: member.budget_period, ...calendar })
}

/** From now on a user spends from the budget of another membership, with what he spent before. */
export async function shareBudget(
  tx: Tx,
  { teamId, userId }: Seat,
  memberId: number,
  calendar: Calendar,
): Promise<void> {
  const before = await sharedBudget(tx, { teamId, userId })
  const share = { team_id: teamId, user_id: userId, member_id: memberId }
  await tx
    .insertInto('team_budget_shares')
    .values(share)
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doUpdateSet({ member_id: memberId }))
    .execute()
  if (before > 0 && before !== memberId) await recount(tx, before, calendar)
  await recount(tx, memberId, calendar)
}

/** A user spends from a budget of his own again, and takes along what he spent. */
export async function endBudgetShare(tx: Tx, seat: Seat, calendar?: Calendar): Promise<void> {
  const before = await sharedBudget(tx, seat)
  if (before === 0) return
  await tx
    .deleteFrom('team_budget_shares')
    .where('team_id', '=', seat.teamId)
    .where('user_id', '=', seat.userId)
    .execute()
  await recount(tx, before, calendar)
}

/**
 * Takes a member out. Where others spend from his budget, the one who joined first gets it with all that was spent of it: the
 * membership stays and is his.
 */
export async function removeMembership(tx: Tx, memberId: number, { teamId, userId }: Seat): Promise<void> {
  const heir = await tx
    .selectFrom('team_members')
    .innerJoin('team_budget_shares', (join) =>
      join
        .onRef('team_budget_shares.team_id', '=', 'team_members.team_id')
        .onRef('team_budget_shares.user_id', '=', 'team_members.user_id'),
    )
    .select(['team_members.id', 'team_members.user_id', 'team_members.role', 'team_members.joined_time'])
    .where('team_budget_shares.member_id', '=', memberId)
    .orderBy('team_members.joined_time')
    .orderBy('team_members.id')
    .executeTakeFirst()
  await tx
    .deleteFrom('team_members')
    .where('id', '=', heir?.id ?? memberId)
    .execute()
  if (!heir) {
    await tx.deleteFrom('team_budget_shares').where('member_id', '=', memberId).execute()
    return
  }
  const { user_id, role, joined_time } = heir
  await tx.updateTable('team_members').set({ user_id, role, joined_time }).where('id', '=', memberId).execute()
  await tx
    .updateTable('team_budget_shares')
    .set({ user_id: userId })
    .where('team_id', '=', teamId)
    .where('user_id', '=', user_id)
    .execute()
}
