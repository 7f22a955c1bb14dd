import { Database as Sqlite } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { logType } from '#shared/statuses.ts'
import { book } from './book.ts'
import type { RequestLog, Settlement } from './ledger.ts'
import { reconcile } from './reconcile.ts'

const userId = 1
const tokenId = 1
let app: TestApp
let serial = 0

beforeAll(async () => {
  app = await startTestApp()
  const row = { key_sealed: '', key_hash: 'none', models: '', subnet: '', name: 'test', status: 1, expired_time: -1 }
  const counts = { created_time: 0, accessed_time: 0, remain_quota: 0, unlimited_quota: 1, used_quota: 0 }
  await app.ctx.database.db
    .insertInto('tokens')
    .values({ id: tokenId, user_id: userId, ...row, ...counts })
    .execute()
  await setQuota(1000)
})
afterAll(() => app.stop())

const quotaOf = async () =>
  (await app.ctx.database.db.selectFrom('users').select('quota').where('id', '=', userId).executeTakeFirstOrThrow())
    .quota

const setQuota = async (quota: number) => {
  const amount = quota - (await quotaOf())
  await app.ctx.database.db
    .transaction()
    .execute((tx) => book(tx, { userId, kind: 'admin', amount, ref: `set-${++serial}`, at: 0 }))
}

const party = { userId, tokenId, teamId: 0, memberId: 0 }

const hold = (amount: number, id = `request-${++serial}`) => ({
  id,
  ...party,
  least: amount,
  wanted: amount,
  at: 1,
  limits: null,
})

const closing = (id: string, charge: number): Settlement => ({
  id,
  ...party,
  charge,
  channelId: 0,
  counts: true,
  log: null,
  at: 1,
  admittedAt: 1,
  corrections: [],
})

describe.skipIf(onPostgres)('balances the process knows by heart', () => {
  test('let a request in at once, and no two spend the same money', async () => {
    await setQuota(1000)
    const first = hold(600)
    await app.ctx.ledger.reserve(first)
    expect(app.ctx.ledger.reserve(hold(600))).toEqual({ ok: false, lacking: 'user', available: 400, resetsAt: 0 })
    await app.ctx.ledger.settle(closing(first.id, 100))
    expect(app.ctx.ledger.reserve(hold(901))).toEqual({ ok: false, lacking: 'user', available: 900, resetsAt: 0 })
    expect(await quotaOf()).toBe(900)
  })

  test('are forgotten the moment the console changes one', async () => {
    await setQuota(1000)
    const running = hold(200)
    await app.ctx.ledger.reserve(running)
    await setQuota(300)
    expect(await app.ctx.ledger.reserve(hold(200))).toEqual({ ok: false, lacking: 'user', available: 100, resetsAt: 0 })
    await app.ctx.ledger.settle(closing(running.id, 200))
    expect(await quotaOf()).toBe(100)
  })

  test('wait for a change that is not committed yet', async () => {
    await setQuota(1000)
    await app.ctx.ledger.settle(closing((await heldNow(1)).id, 0))
    let early: unknown
    await app.ctx.database.db.transaction().execute(async (tx) => {
      await book(tx, { userId, kind: 'admin', amount: -950, ref: `set-${++serial}`, at: 0 })
      early = app.ctx.ledger.reserve(hold(100))
      await Bun.sleep(20)
    })
    expect(await early).toEqual({ ok: false, lacking: 'user', available: 50, resetsAt: 0 })
  })

  test('are read again when another process has written, and what is stored is never overwritten by them', async () => {
    await setQuota(1000)
    const running = await heldNow(500)
    const file = app.ctx.config.DATABASE_URL.slice('sqlite:'.length)
    const other = new Sqlite(file)
    other.run('update users set quota = quota + 70 where id = 1')
    other.run(
      "insert into ledger_entries (user_id, token_id, kind, amount, token_amount, ref, created_at) values (1, 0, 'admin', 70, 0, 'other', 0)",
    )
    other.close()
    expect(await app.ctx.ledger.settle(closing(running.id, 500))).toMatchObject({ before: 1070, after: 570 })
    expect(await quotaOf()).toBe(570)
    expect(await reconcile(app.ctx.database.db)).toEqual([])
  })
})

describe.skipIf(onPostgres)('a full disk', () => {
  test('is named as what it is, and a settlement it stopped happens once there is room', async () => {
    await setQuota(1000)
    const running = await heldNow(500)
    const settlement = { ...closing(running.id, 300), log: largeLog(running.id) }
    await limitPages('fill')
    const refused = await app.ctx.ledger.settle(settlement).catch((error) => error)
    expect(refused).toMatchObject({ code: 'SQLITE_FULL' })
    await limitPages('free')
    expect(await app.ctx.ledger.settle(settlement)).toMatchObject({ paid: 300, before: 1000, after: 700 })
    expect(await quotaOf()).toBe(700)
    expect(await reconcile(app.ctx.database.db)).toEqual([])
  })

  test('is named as what it is by a transaction of the console too', async () => {
    await limitPages('fill')
    const { db } = app.ctx.database
    const write = db.transaction().execute((tx) =>
      tx
        .insertInto('logs')
        .values({ ...largeLog('console'), quota: 0 })
        .execute(),
    )
    expect(await write.catch((error) => error)).toMatchObject({ code: 'SQLITE_FULL' })
    await limitPages('free')
  })
})

/** Makes the file as large as it may ever be, or lets it grow again. */
const limitPages = async (room: 'fill' | 'free') => {
  const { database } = app.ctx
  if (database.engine !== 'sqlite') throw new Error('only SQLite counts pages')
  await database.exclusive((sqlite) => sqlite.run(`pragma max_page_count = ${room === 'fill' ? 1 : 1_000_000}`))
}

const largeLog = (requestId: string): RequestLog => ({
  ...emptyLogRow,
  user_id: userId,
  type: logType.consumption,
  content: 'x'.repeat(100_000),
  username: 'root',
  token_name: 'test',
  model_name: 'gpt-4o',
  request_id: requestId,
  outcome: 'done',
})

async function heldNow(amount: number) {
  const request = hold(amount)
  await app.ctx.ledger.reserve(request)
  return request
}
