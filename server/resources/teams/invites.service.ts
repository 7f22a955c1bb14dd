import { lockMaker } from '#server/accounts/lock-users.ts'
import { bookBudgetPeriod } from '#server/billing/ledger/budget-sums.ts'
import { heldMember } from '#server/billing/ledger/held.ts'
import { epochSeconds } from '#server/context.ts'
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
  const id = await countingGuess(call, { account: `join:${actor.id}`, trusted: false, isWrong }, () =>
    transact(ctx, async (tx, announce) => {
      await lockMaker(tx, actor.id)
      const found = await takeInvite(tx, { codeHash: ctx.secrets.hash(`team\n${input.code}`), now })
      if (!found) throw new AppError('team.invite_invalid')
      const { team_id, role } = found
      if (await memberOf(tx, team_id, actor.id)) throw new AppError('team.already_member')
      // What was spent in an earlier membership counts, and what still runs of it will, by the number it began with.
      const earlier = ctx.ledger.memberInMemory(actor.id, team_id) || (await heldMember(tx, actor.id, team_id))
      const facts = { team_id, user_id: actor.id, role, joined_time: now }
      const member = await insertMember(tx, earlier > 0 ? { id: earlier, ...facts } : facts)
      const periodOf = calendarOf(ctx.options().TimeZone)
      await bookBudgetPeriod(tx, 'member', member, { period: 'month', periodOf, at: now })
      announce({ topic: 'team', id: team_id })
      return team_id
    }),
  )
  return getTeam({ ...call, input: { id } })
}

const isWrong = (error: unknown): boolean => error instanceof AppError && error.code === 'team.invite_invalid'
