import { lockUsers } from '#server/accounts/lock-users.ts'
import { endBudgetShare, removeMembership, sharedBudget } from '#server/billing/ledger/budgets/budget-shares.ts'
import { bookBudgetPeriod } from '#server/billing/ledger/budgets/budget-sums.ts'
import { changeBudgetPeriod, finishRecount } from '#server/billing/ledger/budgets/recount-budgets.ts'
import { heldMember } from '#server/billing/ledger/held.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { record } from '#server/history/record.ts'
import type { Actor, UserCall } from '#server/http/call.ts'
import { calendarOf } from '#server/lib/time/calendar.ts'
import type { TeamWithMembers, teamsApi } from '#shared/api/teams.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import { outranks } from '#shared/teams.ts'
import { requireManager } from './team-rights.ts'
import { getTeam } from './teams.service.ts'
import { deleteTeamTokens, lockTeam, type MemberRow, memberOf, updateMember } from './teams.store.ts'

type Change = InputOf<typeof teamsApi.changeMember>

export async function changeMember(call: UserCall<Change>): Promise<TeamWithMembers> {
  const { ctx, actor, input } = call
  const member = await transact(ctx, async (tx, announce) => {
    await lockTeam(tx, input.id)
    const own = await requireManager(tx, actor, input.id)
    const member = await memberOf(tx, input.id, input.user_id)
    if (!member) throw new AppError('team.member_not_found')
    if (member.id === own.id) throw new AppError('team.own_budget')
    if (!outranks(own.role, member.role)) throw new AppError('auth.forbidden')
    await leaveSharedBudget(ctx, tx, { own, member }, input)
    if (input.role !== undefined && input.role !== member.role) await changeRole(tx, own, member, input.role)
    await changeBudget(tx, member, input)
    await remember(ctx, tx, actor, member)
    announce({ topic: 'team', id: input.id })
    return member.id
  })
  if (input.budget_period !== undefined) await finishRecount(ctx, 'member', member)
  return getTeam({ ...call, input: { id: input.id } })
}

interface Meeting {
  /** Of whoever changes it. */
  readonly own: MemberRow
  readonly member: MemberRow
}

/**
 * Who spends from another's budget gets one of his own, or becomes the owner, who has none: given by somebody who has no budget
 * himself, while nothing of his runs.
 */
async function leaveSharedBudget(ctx: Context, tx: Tx, { own, member }: Meeting, change: Change): Promise<void> {
  const seat = { teamId: member.team_id, userId: member.user_id }
  const shared = await sharedBudget(tx, seat)
  if (shared === 0) return
  const account = await tx.selectFrom('team_members').selectAll().where('id', '=', shared).executeTakeFirst()
  const { budget = account?.budget, budget_period: period = account?.budget_period } = change
  const isSame = budget === account?.budget && period === account?.budget_period
  if (isSame && change.role !== 'owner') return
  const isBound = own.budget > 0 || (await sharedBudget(tx, { ...seat, userId: own.user_id })) > 0
  if (isBound || (change.budget === undefined && change.role !== 'owner')) throw new AppError('team.shared_budget')
  const running =
    ctx.ledger.memberInMemory(seat.userId, seat.teamId) || (await heldMember(tx, seat.userId, seat.teamId))
  if (running > 0) throw new AppError('team.running')
  const calendar = { periodOf: calendarOf(ctx.options().TimeZone), at: epochSeconds(ctx) }
  await endBudgetShare(tx, seat, calendar)
  await bookBudgetPeriod(tx, 'member', member.id, { period: member.budget_period, ...calendar })
}

/** Only the owner changes roles. Passing the team on makes him a manager, and ends the new owner's budget, which nobody may change. */
async function changeRole(tx: Tx, own: MemberRow, member: MemberRow, role: MemberRow['role']): Promise<void> {
  if (own.role !== 'owner') throw new AppError('auth.forbidden')
  await updateMember(tx, member.id, role === 'owner' ? { role, budget: 0 } : { role })
  if (role === 'owner') await updateMember(tx, own.id, { role: 'manager' })
}

async function changeBudget(tx: Tx, member: MemberRow, change: Change): Promise<void> {
  const { budget, budget_period: period } = change
  if ((await sharedBudget(tx, { teamId: member.team_id, userId: member.user_id })) > 0) return
  if (budget !== undefined) await updateMember(tx, member.id, { budget })
  if (period === undefined || period === member.budget_period) return
  await changeBudgetPeriod(tx, 'member', member.id, period)
}

async function remember(ctx: Context, tx: Tx, actor: Actor, before: MemberRow): Promise<void> {
  const after = await memberOf(tx, before.team_id, before.user_id)
  const team = await tx.selectFrom('teams').select('name').where('id', '=', before.team_id).executeTakeFirst()
  const of = ({ user_id, role, budget, budget_period }: MemberRow) => ({ user_id, role, budget, budget_period })
  const thing = { id: before.team_id, name: `${team?.name ?? ''} #${before.user_id}` }
  // Members come and go by themselves, so an entry about one is for reading.
  await record(ctx, tx, actor, {
    kind: 'team',
    things: [{ ...thing, before: of(before), after: after ? of(after) : null }],
    final: 'member',
  })
}

/** The tokens of whoever leaves end for good, at once. */
export async function removeMember({ ctx, actor, input }: UserCall<{ id: number; user_id: number }>): Promise<void> {
  await transact(ctx, async (tx, announce) => {
    await lockUsers(tx, [input.user_id])
    await lockTeam(tx, input.id)
    const isOwn = input.user_id === actor.id
    const own = isOwn ? await memberOf(tx, input.id, actor.id) : await requireManager(tx, actor, input.id)
    if (!own) throw new AppError('team.not_found')
    const member = await memberOf(tx, input.id, input.user_id)
    if (!member) throw new AppError('team.member_not_found')
    if (member.role === 'owner') throw new AppError('team.owner_stays')
    if (!isOwn && !outranks(own.role, member.role)) throw new AppError('auth.forbidden')
    for (const id of await deleteTeamTokens(tx, input.id, input.user_id)) announce({ topic: 'token', id })
    await removeMembership(tx, member.id, { teamId: input.id, userId: input.user_id })
    if (!isOwn) await remember(ctx, tx, actor, member)
    announce({ topic: 'team', id: input.id })
  })
}
