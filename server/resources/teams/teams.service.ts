import { lockMaker, lockUsers } from '#server/accounts/lock-users.ts'
import { book, bookDifference, bookTo } from '#server/billing/ledger/book.ts'
import { changeBudgetPeriod, finishRecount } from '#server/billing/ledger/budgets/recount-budgets.ts'
import { showBudget } from '#server/billing/ledger/budgets/show-budget.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { pageFrom } from '#server/db/page.ts'
import { transact } from '#server/db/transact.ts'
import { record } from '#server/history/record.ts'
import type { UserCall } from '#server/http/call.ts'
import { compact } from '#server/lib/json.ts'
import { timeOrderedId } from '#server/lib/random.ts'
import { type Team, type TeamMember, type TeamWithMembers, type teamsApi, teamsPerUserMax } from '#shared/api/teams.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import type { Page } from '#shared/pagination.ts'
import { isAdmin } from '#shared/roles.ts'
import { manages } from '#shared/teams.ts'
import { readableTeam, requireCreditable, requireIn } from './team-rights.ts'
import {
  countTeams,
  deleteTeam,
  deleteTeamTokens,
  insertMember,
  insertTeam,
  listMembers,
  listTeams,
  lockTeam,
  membersOf,
  openTeamHolds,
  type ShownTeam,
  updateTeam,
} from './teams.store.ts'

const moment = (ctx: Context) => ({ zone: ctx.options().TimeZone, at: epochSeconds(ctx) })

const present = (ctx: Context, row: ShownTeam): Team => ({
  ...row,
  ...showBudget(row, moment(ctx)),
  role: row.role ?? '',
})

export async function teamPage({ ctx, actor, input }: UserCall<InputOf<typeof teamsApi.list>>): Promise<Page<Team>> {
  if (input.all && !isAdmin(actor.role)) throw new AppError('auth.forbidden')
  const listing = { ...input, userId: actor.id }
  const rows = await listTeams(ctx.database.db, listing)
  const total = await countTeams(ctx.database.db, listing)
  return pageFrom(
    input,
    rows.map((row) => present(ctx, row)),
    total,
  )
}

export async function getTeam({ ctx, actor, input }: UserCall<{ id: number }>): Promise<TeamWithMembers> {
  const { db } = ctx.database
  const team = await readableTeam(db, actor, input.id)
  const seesAll = isAdmin(actor.role) || (team.role !== null && manages(team.role))
  const rows = await listMembers(db, input.id)
  const members = rows
    .filter((row) => seesAll || row.user_id === actor.id)
    .map((row): TeamMember => ({ ...row, ...showBudget(row, moment(ctx)) }))
  return { ...present(ctx, team), members }
}

export async function createTeam({ ctx, actor, input }: UserCall<{ name: string }>): Promise<Team> {
  if (ctx.options().TeamCreation === 'admin' && !isAdmin(actor.role)) throw new AppError('team.creation_closed')
  const at = epochSeconds(ctx)
  return transact(ctx, async (tx) => {
    await lockMaker(tx, actor.id)
    const own = { userId: actor.id, all: false, keyword: '' }
    if ((await countTeams(tx, own)) >= teamsPerUserMax) throw new AppError('team.too_many', { limit: teamsPerUserMax })
    const id = await insertTeam(tx, input.name, at)
    await insertMember(tx, { team_id: id, user_id: actor.id, role: 'owner', joined_time: at })
    const team = await readableTeam(tx, actor, id)
    await record(ctx, tx, actor, { kind: 'team', things: [{ id, name: team.name, before: null, after: stored(team) }] })
    return present(ctx, team)
  })
}

/** The fields of a team that are columns of its row. */
const stored = ({ role: _, member_count: __, ...row }: ShownTeam) => row

type Update = InputOf<typeof teamsApi.update>

export async function changeTeam({ ctx, actor, input }: UserCall<Update>): Promise<Team> {
  const { id, quota, quota_before: _, budget_period: period, ...fields } = input
  const changed = await transact(ctx, async (tx, announce) => {
    if (!(await lockTeam(tx, id))) throw new AppError('team.not_found')
    const before = await readableTeam(tx, actor, id)
    const isManager = before.role !== null && manages(before.role)
    const touches = period !== undefined || Object.keys(fields).length > 0
    if (touches && !isManager) throw new AppError('auth.forbidden')
    if (quota !== undefined) await requireCreditable(tx, actor, id)
    await updateTeam(tx, id, compact(fields))
    if (period !== undefined && period !== before.budget_period) {
      await changeBudgetPeriod(tx, 'team', id, period)
    }
    const named = await readableTeam(tx, actor, id)
    const thing = { id, name: named.name }
    await record(ctx, tx, actor, { kind: 'team', things: [{ ...thing, before: stored(before), after: stored(named) }] })
    await applyQuota(ctx, tx, actor.id, input)
    const after = await readableTeam(tx, actor, id)
    const left = ({ quota }: ShownTeam) => ({ quota })
    await record(ctx, tx, actor, {
      kind: 'team',
      things: [{ ...thing, before: left(named), after: left(after) }],
      final: 'money',
    })
    announce({ topic: 'team', id })
    return after
  })
  if (period === undefined) return present(ctx, changed)
  await finishRecount(ctx, 'team', id)
  return present(ctx, await readableTeam(ctx.database.db, actor, id))
}

/** By the difference to what the form had loaded, so that what was spent meanwhile stays spent; else to the value. */
async function applyQuota(ctx: Context, tx: Tx, userId: number, input: Update): Promise<void> {
  const { id: teamId, quota, quota_before } = input
  if (quota === undefined || quota === quota_before) return
  const ref = `admin:${timeOrderedId(ctx.clock())}`
  const booking = { userId, teamId, kind: 'admin' as const, ref, at: epochSeconds(ctx) }
  if (quota_before === undefined) await bookTo(tx, { ...booking, quota })
  else await bookDifference(tx, { ...booking, amount: quota - quota_before })
}

/** The rest of the wallet goes to the owner. Nothing is deleted under a request that runs. */
export async function removeTeam({ ctx, actor, input: { id } }: UserCall<{ id: number }>): Promise<void> {
  await transact(ctx, async (tx, announce) => {
    if (!isAdmin(actor.role) && (await requireIn(tx, actor, id)).role !== 'owner') throw new AppError('auth.forbidden')
    await lockUsers(tx, await membersOf(tx, [id]))
    const row = await lockTeam(tx, id)
    if (!row) throw new AppError('team.not_found')
    const running = (await openTeamHolds(tx, id)) + ctx.ledger.heldInMemoryOf('team', id).count
    if (running > 0) throw new AppError('team.running')
    const owner = (await listMembers(tx, id)).find(({ role }) => role === 'owner')
    const at = epochSeconds(ctx)
    if (row.quota > 0 && owner) {
      const cause = { userId: owner.user_id, at }
      await book(tx, { ...cause, teamId: id, kind: 'close', amount: -row.quota, ref: `close-team:${id}` })
      await book(tx, { ...cause, kind: 'transfer', amount: row.quota, ref: `close-team:${id}:owner` })
      announce({ topic: 'user', id: owner.user_id })
    }
    for (const token of await deleteTeamTokens(tx, id)) announce({ topic: 'token', id: token })
    await deleteTeam(tx, id)
    await record(ctx, tx, actor, {
      kind: 'team',
      things: [{ id, name: row.name, before: row, after: null }],
      final: 'money',
    })
    announce({ topic: 'team', id })
  })
}
