import { lockMaker } from '#server/accounts/lock-users.ts'
import { endBudgetShare, shareBudget, sharedBudget } from '#server/billing/ledger/budgets/budget-shares.ts'
import { finishRecount, requestRecount } from '#server/billing/ledger/budgets/recount-budgets.ts'
import { heldMember } from '#server/billing/ledger/held.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { pageFrom } from '#server/db/page.ts'
import { transact } from '#server/db/transact.ts'
import { countingGuess } from '#server/http/attempts.ts'
import type { UserCall } from '#server/http/call.ts'
import { randomText } from '#server/lib/random.ts'
import { calendarOf } from '#server/lib/time/calendar.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import { invitesPerTeamMax, type Team, type TeamInvite, type teamsApi } from '#shared/api/teams.ts'
import type { InputOf, OutputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import type { Page } from '#shared/pagination.ts'
import { requireManager } from './team-rights.ts'
import { getTeam } from './teams.service.ts'
import {
  countInvites,
  deleteInvite,
  insertInvite,
  insertMember,
  listInvites,
  lockTeam,
  memberOf,
  takeInvite,
} from './teams.store.ts'

const validSeconds = 7 * daySeconds
const codeLength = 32

type Invite = UserCall<InputOf<typeof teamsApi.invite>>

/** The code is shown this once; its hash is kept. */
export async function invite({ ctx, actor, input }: Invite): Promise<OutputOf<typeof teamsApi.invite>> {
  const { id: team_id, role } = input
  const code = randomText(codeLength)
  const now = epochSeconds(ctx)
  return transact(ctx, async (tx) => {
    const own = await requireManager(tx, actor, team_id)
    if (role !== 'member' && own.role !== 'owner') throw new AppError('auth.forbidden')
    await lockTeam(tx, team_id)
    if ((await countInvites(tx, team_id, now)) >= invitesPerTeamMax)
      throw new AppError('team.too_many_invites', { limit: invitesPerTeamMax })
    const expires_at = now + validSeconds
    const facts = { team_id, role, created_by: actor.id, created_time: now, expires_at }
    const id = await insertInvite(tx, { ...facts, code_hash: ctx.secrets.hash(`team\n${code}`) })
    return { id, role, expires_at, code, link: `${ctx.options().ServerAddress}/team?invite=${code}` }
  })
}

export async function invitePage(call: UserCall<InputOf<typeof teamsApi.invites>>): Promise<Page<TeamInvite>> {
  const { ctx, actor, input } = call
  const { db } = ctx.database
  await requireManager(db, actor, input.id)
  const now = epochSeconds(ctx)
  return pageFrom(input, await listInvites(db, input.id, now, input), await countInvites(db, input.id, now))
}

export async function endInvite({ ctx, actor, input }: UserCall<{ id: number; code_id: number }>): Promise<void> {
  await transact(ctx, async (tx) => {
    await requireManager(tx, actor, input.id)
    if (!(await deleteInvite(tx, input.id, input.code_id))) throw new AppError('team.invite_not_found')
  })
}

/** Joining takes the invitation away; who is in already keeps it for somebody else. */
export async function join(call: UserCall<{ code: string }>): Promise<Team> {
  const { ctx, actor, input } = call
  const now = epochSeconds(ctx)
  const { id, member } = await countingGuess(call, { account: `join:${actor.id}`, trusted: false, isWrong }, () =>
    transact(ctx, async (tx, announce) => {
      await lockMaker(tx, actor.id)
      const found = await takeInvite(tx, { codeHash: ctx.secrets.hash(`team\n${input.code}`), now })
      if (!found) throw new AppError('team.invite_invalid')
      const { team_id, role, created_by } = found
      if (await memberOf(tx, team_id, actor.id)) throw new AppError('team.already_member')
      // What was spent in an earlier membership counts, and what still runs of it will, by the number it began with.
      const earlier = ctx.ledger.memberInMemory(actor.id, team_id) || (await heldMember(tx, actor.id, team_id))
      const facts = { team_id, user_id: actor.id, role, joined_time: now }
      const calendar = { periodOf: calendarOf(ctx.options().TimeZone), at: now }
      const seat = { teamId: team_id, userId: actor.id }
      const shared = await budgetOfInviter(tx, team_id, created_by)
      await requireFree(tx, earlier, shared)
      if (shared > 0) {
        await insertMember(tx, facts)
        await shareBudget(tx, seat, shared, calendar)
        announce({ topic: 'team', id: team_id })
        return { id: team_id, member: 0 }
      }
      await endBudgetShare(tx, seat, calendar)
      const member = await insertMember(tx, earlier > 0 ? { id: earlier, ...facts } : facts)
      await requestRecount(tx, 'member', member)
      announce({ topic: 'team', id: team_id })
      return { id: team_id, member }
    }),
  )
  if (member > 0) await finishRecount(ctx, 'member', member)
  return getTeam({ ...call, input: { id } })
}

/** The membership whose budget whoever is invited spends from: that of the inviter, where there is a budget; 0: none. */
async function budgetOfInviter(tx: Tx, teamId: number, userId: number): Promise<number> {
  const inviter = await memberOf(tx, teamId, userId)
  if (!inviter) return 0
  const id = (await sharedBudget(tx, { teamId, userId })) || inviter.id
  const account = await tx.selectFrom('team_members').select('budget').where('id', '=', id).executeTakeFirst()
  return account && account.budget > 0 ? id : 0
}

/** What still runs of an earlier membership counts under its number: that must be the new one's, or free. */
async function requireFree(tx: Tx, earlier: number, shared: number): Promise<void> {
  if (earlier === 0 || earlier === shared) return
  const taken = await tx.selectFrom('team_members').select('id').where('id', '=', earlier).executeTakeFirst()
  if (shared > 0 || taken) throw new AppError('team.running')
}

const isWrong = (error: unknown): boolean => error instanceof AppError && error.code === 'team.invite_invalid'
