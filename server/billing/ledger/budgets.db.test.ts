import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import {
  changeBudgetPeriod,
  finishRecount,
  recountBudgetsLeft,
  requestRecountOfAll,
} from '#server/billing/ledger/budgets/recount-budgets.ts'
import { createCalendar } from '#server/lib/time/calendar.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import type { BudgetPeriod } from '#shared/budget.ts'
import type { AccountKind } from './account.ts'
import { book } from './book.ts'
import type { Settlement } from './ledger.ts'
import { openLedger } from './open-ledger.ts'
import { reconcile } from './reconcile.ts'

let app: TestApp
let serial = 0
const newId = () => `budget-${++serial}`
const noon = Date.parse('2026-11-16T12:00:00Z') / 1000
const day = 86_400

beforeAll(async () => {
  app = await borrowApp()
})
afterEach(async () => {
  expect(await reconcile(app.ctx.database.db)).toEqual([])
})
afterAll(() => app.stop())

/** The node at that moment, in a time zone. */
const nodeIn = (TimeZone: string) => ({
  ...app.ctx,
  clock: () => noon * 1000,
  options: () => ({ ...app.ctx.options(), TimeZone }),
})

async function change(kind: AccountKind, id: number, period: BudgetPeriod): Promise<void> {
  await app.ctx.database.db.transaction().execute((tx) => changeBudgetPeriod(tx, kind, id, period))
  await finishRecount(nodeIn('UTC'), kind, id)
}

async function recountIn(zone: string): Promise<void> {
  const node = nodeIn(zone)
  await app.ctx.database.db.transaction().execute((tx) => requestRecountOfAll(tx, node))
  await recountBudgetsLeft(node)
}

/** A team with a member and a token, each with the budget it is given. */
async function scene(budgets: { token?: number; user?: number; team?: number; member?: number } = {}) {
  const { db } = app.ctx.database
  const name = newId()
  const period = { budget_period: 'day' } as const
  const { id: teamId } = await db
    .insertInto('teams')
    .values({ name, created_time: 0, budget: budgets.team ?? 0, ...period })
    .returning('id')
    .executeTakeFirstOrThrow()
  const facts = { display_name: '', role: 1, status: 1, email: '', github_id: '', github_login: '', wechat_id: '' }
  const more = { password_hash: '', access_token_hash: '', group: '', aff_code: '', inviter_id: 0, created_time: 0 }
  const { id: userId } = await db
    .insertInto('users')
    .values({ username: name, ...facts, ...more, budget: budgets.user ?? 0, ...period })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: memberId } = await db
    .insertInto('team_members')
    .values({
      team_id: teamId,
      user_id: userId,
      role: 'member',
      joined_time: 0,
      budget: budgets.member ?? 0,
      ...period,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const times = { created_time: 0, accessed_time: 0, expired_time: -1 }
  const { id: tokenId } = await db
    .insertInto('tokens')
    .values({
      user_id: userId,
      name,
      key_hash: name,
      key_sealed: '',
      status: 1,
      ...times,
      unlimited_quota: 1,
      models: '',
      subnet: '',
      team_id: teamId,
      budget: budgets.token ?? 0,
      ...period,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .transaction()
    .execute((tx) => book(tx, { userId, teamId, kind: 'admin', amount: 100_000, ref: `start:${name}`, at: 0 }))
  return { userId, teamId, memberId, tokenId }
}

type Party = Awaited<ReturnType<typeof scene>>

const hold = (party: Party, amount: number, at = noon) => ({
  id: newId(),
  ...party,
  least: amount,
  wanted: amount,
  at,
  limits: null,
})
const closing = (request: { id: string; at: number } & Party, charge: number): Settlement => ({
  ...request,
  charge,
  channelId: 0,
  counts: charge > 0,
  log: null,
  admittedAt: request.at,
  corrections: [],
})

async function used({ userId, teamId, memberId, tokenId }: Party) {
  const { db } = app.ctx.database
  const budgetOf = async (table: 'users' | 'teams' | 'team_members' | 'tokens', id: number) =>
    (await db.selectFrom(table).select('budget_used').where('id', '=', id).executeTakeFirstOrThrow()).budget_used
  return {
    user: await budgetOf('users', userId),
    team: await budgetOf('teams', teamId),
    member: await budgetOf('team_members', memberId),
    token: await budgetOf('tokens', tokenId),
  }
}

const walletOf = async ({ teamId }: Party) =>
  (await app.ctx.database.db.selectFrom('teams').select('quota').where('id', '=', teamId).executeTakeFirstOrThrow())
    .quota

describe('a budget', () => {
  test.each(['token', 'user', 'team', 'member'] as const)(
    'of a %s for 7 lets 7 of 200 parallel requests in, and is spent exactly',
    async (kind) => {
      const party = await scene({ [kind]: 700 })
      const nodes = [app.ctx.ledger]
      if (onPostgres)
        nodes.push(
          openLedger(
            { ...app.ctx, nodeId: 'other' },
            createCalendar(() => 'UTC'),
          ),
        )
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, async (_, at) => {
          const ledger = nodes[at % nodes.length] ?? app.ctx.ledger
          const request = hold(party, 100)
          const result = await ledger.reserve(request)
          if (!result.ok) return result.lacking
          await ledger.settle(closing(request, 100))
          return 'paid'
        }),
      )
      expect(outcomes.filter((outcome) => outcome === 'paid')).toHaveLength(7)
      expect(new Set<string>(outcomes)).toEqual(new Set(['paid', `${kind} budget`]))
      expect((await used(party))[kind]).toBe(700)
      expect(await walletOf(party)).toBe(100_000 - 700)
    },
  )

  test('is counted also while there is none, so that one set later knows what was spent', async () => {
    const party = await scene()
    const request = hold(party, 100)
    await app.ctx.ledger.reserve(request)
    await app.ctx.ledger.settle(closing(request, 60))
    expect(await used(party)).toEqual({ user: 60, team: 60, member: 60, token: 60 })
    await app.ctx.database.db.updateTable('tokens').set({ budget: 100 }).where('id', '=', party.tokenId).execute()
    expect(await app.ctx.ledger.reserve(hold(party, 41))).toMatchObject({ lacking: 'token budget', available: 40 })
  })

  test('knows what running requests hold after its period was changed, and after the time zone was', async () => {
    const party = await scene({ token: 1000 })
    const first = hold(party, 300, noon - 13 * 3600)
    await app.ctx.ledger.reserve(first)
    await app.ctx.ledger.settle(closing(first, 200))
    const running = hold(party, 400)
    await app.ctx.ledger.reserve(running)
    await change('token', party.tokenId, 'month')
    expect((await used(party)).token).toBe(200)
    expect(await app.ctx.ledger.reserve(hold(party, 401))).toMatchObject({ lacking: 'token budget', available: 400 })
    // In Shanghai the late evening of yesterday is today.
    await change('token', party.tokenId, 'day')
    expect((await used(party)).token).toBe(0)
    await recountIn('Asia/Shanghai')
    expect((await used(party)).token).toBe(200)
    await app.ctx.ledger.settle(closing(running, 400))
  })

  test('is counted anew for another time zone while requests come and go', async () => {
    const parties = [await scene(), await scene()]
    const [early] = parties
    if (!early) throw new Error('there is none')
    await change('user', early.userId, 'month')
    let isOver = false
    const lanes = parties
      .flatMap((party) => [party, party, party])
      .map(async (party) => {
        while (!isOver) {
          const request = hold(party, 1)
          await app.ctx.ledger.reserve(request)
          await app.ctx.ledger.settle(closing(request, 1))
        }
      })
    for (let round = 0; round < 20; round += 1) {
      await recountIn(round % 2 === 0 ? 'Asia/Shanghai' : 'America/New_York')
      await change('user', early.userId, round % 2 === 0 ? 'day' : 'month')
    }
    isOver = true
    await Promise.all(lanes)
  })

  test('that has begun anew in memory alone is not begun twice', async () => {
    const party = await scene({ user: 1000 })
    const old = hold(party, 100)
    await app.ctx.ledger.reserve(old)
    await app.ctx.ledger.settle(closing(old, 100))
    const tomorrow = hold(party, 700, noon + day)
    await app.ctx.ledger.reserve(tomorrow)
    await app.ctx.database.db.updateTable('teams').set({ name: 'other' }).where('id', '=', party.teamId).execute()
    expect(await app.ctx.ledger.reserve(hold(party, 400, noon + day))).toMatchObject({ available: 300 })
    await app.ctx.ledger.settle(closing(tomorrow, 500))
    expect((await used(party)).user).toBe(500)
  })
})

test('a budget that does not add up is found', async () => {
  const party = await scene({ member: 500 })
  const request = hold(party, 100)
  await app.ctx.ledger.reserve(request)
  await app.ctx.ledger.settle(closing(request, 100))
  const set = (budget_used: number) =>
    app.ctx.database.db.updateTable('team_members').set({ budget_used }).where('id', '=', party.memberId).execute()
  await set(99)
  expect(await reconcile(app.ctx.database.db)).toEqual([
    { kind: 'member budget', id: party.memberId, balance: 99, proven: 100 },
  ])
  await set(100)
})
