import { bookTo } from '#server/billing/ledger/book.ts'
import { endBudgetShare, removeMembership } from '#server/billing/ledger/budgets/budget-shares.ts'
import { isSqlite, type Tx } from '#server/db/database.ts'
import type { Announce } from '#server/db/transact.ts'

/** Whether a user owns a team. */
export async function ownsTeam(tx: Tx, userId: number): Promise<boolean> {
  const owned = tx.selectFrom('team_members').select('id').where('user_id', '=', userId)
  return (await owned.where('role', '=', 'owner').executeTakeFirst()) !== undefined
}

/** Locks the user's teams: until the transaction ends nobody else changes their owners or members, or deletes one. */
async function lockTeamsOf(tx: Tx, userId: number): Promise<void> {
  if (isSqlite(tx)) return
  const own = tx.selectFrom('team_members').select('team_id').where('user_id', '=', userId)
  await tx.selectFrom('teams').select('id').where('id', 'in', own).orderBy('id').forUpdate().execute()
}

interface Leaving {
  readonly userId: number
  readonly at: number
  readonly announce: Announce
}

/** Takes a user out of all teams before the account is closed. The longest-serving member takes over a team; an empty team ends. */
export async function leaveTeams(tx: Tx, { userId, at, announce }: Leaving): Promise<void> {
  await lockTeamsOf(tx, userId)
  const left = await tx
    .selectFrom('team_members')
    .select(['id', 'team_id', 'role'])
    .where('user_id', '=', userId)
    .orderBy('team_id')
    .execute()
  for (const { id, team_id: teamId, role } of left) {
    await removeMembership(tx, id, { teamId, userId })
    announce({ topic: 'team', id: teamId })
    if (role === 'owner' && !(await passOn(tx, teamId))) await endTeam(tx, teamId, userId, at)
  }
}

async function passOn(tx: Tx, teamId: number): Promise<boolean> {
  const members = await tx
    .selectFrom('team_members')
    .select(['id', 'user_id', 'role'])
    .where('team_id', '=', teamId)
    .orderBy('joined_time')
    .orderBy('id')
    .execute()
  const next = members.find(({ role }) => role === 'manager') ?? members[0]
  if (!next) return false
  await endBudgetShare(tx, { teamId, userId: next.user_id })
  await tx.updateTable('team_members').set({ role: 'owner', budget: 0 }).where('id', '=', next.id).execute()
  return true
}

/**
 * No member is left: the wallet's balance is booked out with the last one. Requests of former members may run on: their holds lose
 * what they took of the wallet, and keep what their settlement gives back to budgets and tokens.
 */
async function endTeam(tx: Tx, teamId: number, userId: number, at: number): Promise<void> {
  await bookTo(tx, { userId, teamId, kind: 'close', quota: 0, ref: `close-team:${teamId}`, at })
  await tx.deleteFrom('tokens').where('team_id', '=', teamId).execute()
  await tx.deleteFrom('team_invites').where('team_id', '=', teamId).execute()
  await tx.deleteFrom('team_budget_shares').where('team_id', '=', teamId).execute()
  // Somebody may have joined by an invitation meanwhile.
  await tx.deleteFrom('team_members').where('team_id', '=', teamId).execute()
  await tx.deleteFrom('teams').where('id', '=', teamId).execute()
}
