import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import { renewLease } from '#server/jobs/keep-lease.ts'
import { sweepHolds } from '#server/jobs/sweep-holds.ts'
import { createCalendar } from '#server/lib/time/calendar.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { logType } from '#shared/statuses.ts'
import { book, bookTokenTo } from './book.ts'
import { groupCommit } from './group-commit.ts'
import type { RequestLog, Settlement } from './ledger.ts'
import { openLedger } from './open-ledger.ts'
import { postgresCommit } from './postgres/postgres-commit.ts'
import { reconcile } from './reconcile.ts'

const userId = 1
const tokenId = 1
const startQuota = 10_000

const calendar = createCalendar(() => 'UTC')

let app: TestApp
let serial = 0
const newId = () => `request-${++serial}`

beforeAll(async () => {
  app = await borrowApp()
  const { db } = app.ctx.database
  await db.insertInto('tokens').values(tokenRow).execute()
  await db.transaction().execute(async (tx) => {
    const { quota } = await tx.selectFrom('users').select('quota').where('id', '=', userId).executeTakeFirstOrThrow()
    await book(tx, { userId, kind: 'admin', amount: startQuota - quota, ref: 'start', at: 0 })
    await bookTokenTo(tx, { tokenId, userId, quota: startQuota, ref: 'start-token', at: 0 })
  })
})
afterEach(async () => {
  expect(await reconcile(app.ctx.database.db)).toEqual([])
})
afterAll(() => app.stop())

const tokenRow = {
  id: tokenId,
  user_id: userId,
  name: 'test',
  key_sealed: '',
  key_hash: 'none',
  status: 1,
  created_time: 0,
  accessed_time: 0,
  expired_time: -1,
  remain_quota: 0,
  unlimited_quota: 0,
  used_quota: 0,
  models: '',
  subnet: '',
}

const party = { userId, tokenId, teamId: 0, memberId: 0 }
const hold = (id: string, least = 100) => ({ id, ...party, least, wanted: least, at: 1, limits: null })

const log: RequestLog = {
  ...emptyLogRow,
  user_id: userId,
  type: logType.consumption,
  username: 'root',
  token_name: 'test',
  model_name: 'gpt-4o',
  prompt_tokens: 1,
  completion_tokens: 1,
  duration_ms: 1,
  first_byte_ms: 1,
  outcome: 'done',
}

const charge = (id: string, amount: number, more: Partial<RequestLog> = {}): Settlement => ({
  id,
  ...party,
  charge: amount,
  channelId: 0,
  counts: amount > 0,
  log: { ...log, request_id: id, ...more },
  at: 1,
  admittedAt: 1,
  corrections: [],
})

async function balances() {
  const { db } = app.ctx.database
  const user = await db
    .selectFrom('users')
    .select(['quota', 'request_count'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const token = await db.selectFrom('tokens').select('remain_quota').where('id', '=', tokenId).executeTakeFirstOrThrow()
  return { quota: user.quota, requests: user.request_count, remain: token.remain_quota }
}

const rowsOf = async (id: string) =>
  (await app.ctx.database.db.selectFrom('logs').select('quota').where('request_id', '=', id).execute()).map(
    (row) => row.quota,
  )

describe('the ledger', () => {
  test('settles a request once, however often and however parallel it is asked to', async () => {
    const { ledger } = app.ctx
    const before = await balances()
    const id = newId()
    expect(await ledger.reserve(hold(id))).toEqual({ ok: true, held: 100, limits: null })
    const results = await Promise.all(Array.from({ length: 20 }, () => ledger.settle(charge(id, 30))))
    results.push(await ledger.settle(charge(id, 30)), await ledger.settle(charge(id, 0)))
    expect(results.reduce((sum, { paid }) => sum + paid, 0)).toBe(30)
    expect(await balances()).toEqual({
      quota: before.quota - 30,
      requests: before.requests + 1,
      remain: before.remain - 30,
    })
    expect(await rowsOf(id)).toEqual([30])
  })

  test('a release before the charge keeps the request free', async () => {
    const { ledger } = app.ctx
    const before = await balances()
    const id = newId()
    await ledger.reserve(hold(id))
    await ledger.settle(charge(id, 0))
    expect(await balances()).toEqual(before)
    expect(await rowsOf(id)).toEqual([0])
  })

  test('a settlement the database refuses does not take the others with it', async () => {
    const { ledger } = app.ctx
    const before = await balances()
    const ids = [newId(), newId(), newId()]
    for (const id of ids) await ledger.reserve(hold(id))
    const bad = { prompt_tokens: Number.NaN, content: 'bad' }
    const outcomes = await Promise.allSettled(ids.map((id, at) => ledger.settle(charge(id, 10, at === 1 ? bad : {}))))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    await ledger.settle(charge(ids[1] ?? '', 0))
    expect(await balances()).toMatchObject({ quota: before.quota - 20, remain: before.remain - 20 })
  })
})

describe.skipIf(!onPostgres)('a database that says it failed when it did not', () => {
  /** Commits, and then loses the answer the first `times` times. */
  function forgetful(times: number) {
    const { database, nodeId } = app.ctx
    if (database.engine !== 'postgres') throw new Error('for PostgreSQL')
    const commit = postgresCommit(database, nodeId, calendar)
    let left = times
    return groupCommit(async (operations) => {
      const decision = await commit(operations)
      if (left-- > 0) throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
      return decision
    })
  }

  test('does not make a repeated settlement charge twice', async () => {
    const before = await balances()
    const id = newId()
    await app.ctx.ledger.reserve(hold(id))
    const ledger = forgetful(1)
    await expect(ledger.settle(charge(id, 30))).rejects.toThrow()
    expect(await ledger.settle(charge(id, 30))).toMatchObject({ paid: 0 })
    expect(await balances()).toMatchObject({ quota: before.quota - 30, requests: before.requests + 1 })
    expect(await rowsOf(id)).toEqual([30])
  })

  test('does not leave a reservation behind that its request gives back', async () => {
    const before = await balances()
    const id = newId()
    await expect(forgetful(1).reserve(hold(id))).rejects.toThrow()
    expect((await balances()).quota).toBe(before.quota - 100)
    await app.ctx.ledger.settle(charge(id, 0))
    expect(await balances()).toEqual(before)
  })
})

describe.skipIf(!onPostgres)('holds of a node that is gone', () => {
  const aNode = () => openLedger({ ...app.ctx, nodeId: 'node-that-dies' }, calendar)
  const holdsOpen = async () => (await app.ctx.database.db.selectFrom('holds').select('id').execute()).length
  const signOfLife = (until: number) =>
    sql`insert into nodes (id, lease_until) values ('node-that-dies', ${until}) on conflict (id) do update set lease_until = ${until}`.execute(
      app.ctx.database.db,
    )
  const now = () => Math.floor(Date.now() / 1000)

  test('are kept while it lives and returned when its lease has ended, all of them', async () => {
    const before = await balances()
    await renewLease(app.ctx)
    await signOfLife(now() + 20)
    const dying = aNode()
    await Promise.all(Array.from({ length: 1500 }, () => dying.reserve({ ...hold(newId(), 1), at: now() })))
    expect(await sweepHolds(app.ctx)).toBe(0)
    await signOfLife(now() - 1)
    expect(await sweepHolds(app.ctx)).toBe(1500)
    expect(await holdsOpen()).toBe(0)
    expect(await balances()).toEqual(before)
  })

  test('are still charged, once, when its settlement comes after all', async () => {
    const before = await balances()
    const dying = aNode()
    const id = newId()
    await dying.reserve({ ...hold(id), at: now() })
    await signOfLife(now() - 1)
    await sweepHolds(app.ctx)
    expect(await dying.settle(charge(id, 30))).toMatchObject({ paid: 30 })
    expect(await dying.settle(charge(id, 30))).toMatchObject({ paid: 0 })
    expect(await balances()).toMatchObject({ quota: before.quota - 30, remain: before.remain - 30 })
    expect(await rowsOf(id)).toEqual([30])
  })

  test.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('are recognised by the clock of the database, also when ours is an hour %s', async (_, off) => {
    const before = await balances()
    const dying = aNode()
    await signOfLife(now() + 20)
    await dying.reserve({ ...hold(newId()), at: now() })
    app.time.now = Date.now() + off
    await renewLease(app.ctx)
    expect(await sweepHolds(app.ctx)).toBe(0)
    await signOfLife(now() - 1)
    expect(await sweepHolds(app.ctx)).toBe(1)
    app.time.now = null
    const { nodeId, database } = app.ctx
    const lease = await database.db
      .selectFrom('nodes')
      .select('lease_until')
      .where('id', '=', nodeId)
      .executeTakeFirst()
    expect(Math.abs((lease?.lease_until ?? 0) - now())).toBeLessThan(60)
    expect(await balances()).toEqual(before)
  })

  test('of this node are its own business', async () => {
    const id = newId()
    await app.ctx.ledger.reserve({ ...hold(id), at: 1 })
    expect(await sweepHolds(app.ctx)).toBe(0)
    expect(await holdsOpen()).toBe(1)
    await app.ctx.ledger.settle(charge(id, 0))
  })
})

test('a request that was never charged is not given back', async () => {
  const before = await balances()
  expect(await app.ctx.ledger.settle({ ...charge(newId(), 0), refund: true })).toMatchObject({ paid: 0 })
  expect(await balances()).toEqual(before)
})

describe.skipIf(!onPostgres)('two transactions in each other’s way', () => {
  test('never wait for each other: the settlement takes its rows when both are free', async () => {
    const { database, ledger } = app.ctx
    if (database.engine !== 'postgres') throw new Error('for PostgreSQL')
    const before = await balances()
    const id = newId()
    await ledger.reserve(hold(id))
    const other = await database.pool.connect()
    await other.query('begin')
    await other.query('select 1 from tokens where id = $1 for update', [tokenId])
    let isSettled = false
    const settled = ledger.settle(charge(id, 30)).finally(() => {
      isSettled = true
    })
    // Rows in the opposite order: the settlement keeps none of its own while it waits.
    await other.query('select 1 from users where id = $1 for update', [userId])
    expect(isSettled).toBe(false)
    await other.query('commit')
    other.release()
    expect(await settled).toMatchObject({ paid: 30 })
    expect(await balances()).toMatchObject({ quota: before.quota - 30 })
  })
})
