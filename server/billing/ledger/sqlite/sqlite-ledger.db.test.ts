import { Database as Sqlite } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import {
  closing,
  createPayer,
  holdOf,
  logOf,
  payer,
  quotaOf as quotaIn,
  setQuota as setQuotaIn,
} from '#server/testing/settlements.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { book } from '../book.ts'
import type { RequestLog } from '../ledger.ts'
import { reconcile } from '../reconcile.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
  await createPayer(app.ctx.database.db, 1000)
})
afterAll(() => app.stop())

const quotaOf = () => quotaIn(app.ctx.database.db)
const setQuota = (quota: number) => setQuotaIn(app.ctx.database.db, quota)

describe.skipIf(onPostgres)('balances the process knows by heart', () => {
  test('let a request in at once, and no two spend the same money', async () => {
    await setQuota(1000)
    const first = holdOf(600)
    await app.ctx.ledger.reserve(first)
    expect(app.ctx.ledger.reserve(holdOf(600))).toEqual({ ok: false, lacking: 'user', available: 400, resetsAt: 0 })
    await app.ctx.ledger.settle(closing(first.id, 100))
    expect(app.ctx.ledger.reserve(holdOf(901))).toEqual({ ok: false, lacking: 'user', available: 900, resetsAt: 0 })
    expect(await quotaOf()).toBe(900)
  })

  test('are forgotten the moment the console changes one', async () => {
    await setQuota(1000)
    const running = holdOf(200)
    await app.ctx.ledger.reserve(running)
    await setQuota(300)
    expect(await app.ctx.ledger.reserve(holdOf(200))).toEqual({
      ok: false,
      lacking: 'user',
      available: 100,
      resetsAt: 0,
    })
    await app.ctx.ledger.settle(closing(running.id, 200))
    expect(await quotaOf()).toBe(100)
  })

  test('wait for a change that is not committed yet', async () => {
    await setQuota(1000)
    await app.ctx.ledger.settle(closing((await heldNow(1)).id, 0))
    let early: unknown
    await app.ctx.database.db.transaction().execute(async (tx) => {
      await book(tx, { userId: payer.userId, kind: 'admin', amount: -950, ref: 'not committed yet', at: 0 })
      early = app.ctx.ledger.reserve(holdOf(100))
      await Bun.sleep(20)
    })
    expect(await early).toEqual({ ok: false, lacking: 'user', available: 50, resetsAt: 0 })
  })

  test('are not settled on while somebody reads on the connection, who would not see it', async () => {
    await setQuota(1000)
    const running = await heldNow(100)
    let isSettled = false
    const { settled } = await app.ctx.database.db.connection().execute(async (db) => {
      const settled = app.ctx.ledger.settle(closing(running.id, 100)).then(() => {
        isSettled = true
      })
      await Bun.sleep(20)
      expect(isSettled).toBeFalse()
      expect(await quotaIn(db)).toBe(1000)
      return { settled }
    })
    await settled
    expect(await quotaOf()).toBe(900)
  })

  test('are read again when another process has written, and what is stored is never overwritten by them', async () => {
    await setQuota(1000)
    const [first, second] = [await heldNow(500), await heldNow(100)]
    const file = app.ctx.config.DATABASE_URL.slice('sqlite:'.length)
    const other = new Sqlite(file)
    other.run('update users set quota = quota + 70 where id = 1')
    other.run(
      "insert into ledger_entries (user_id, token_id, kind, amount, token_amount, ref, created_at) values (1, 0, 'admin', 70, 0, 'other', 0)",
    )
    other.close()
    // It is noticed with the next writing into the tables, which is before anybody looks.
    expect(await app.ctx.ledger.settle(closing(first.id, 500))).toMatchObject({ paid: 500 })
    expect(await quotaOf()).toBe(570)
    expect(await app.ctx.ledger.settle(closing(second.id, 100))).toMatchObject({ before: 570, after: 470 })
    expect(await quotaOf()).toBe(470)
    expect(await reconcile(app.ctx.database.db)).toEqual([])
  })
})

describe.skipIf(onPostgres)('a full disk', () => {
  test('is named as what it is once a settlement is in the journal and no more, and all happen once there is room', async () => {
    await setQuota(1000)
    const ids = [await heldNow(100), await heldNow(100), await heldNow(100)].map(({ id }) => id)
    const large = { content: 'x'.repeat(100_000) }
    const settle = (id: string | undefined = '', row: Partial<RequestLog> = large) =>
      app.ctx.ledger.settle(closing(id, 100, logOf(id, row)))
    await limitPages('fill')
    expect(await settle(ids[0])).toMatchObject({ paid: 100, before: 800, after: 700 })
    // The tables should take what waits, and do not.
    expect(await quotaOf()).toBe(1000)
    expect(await settle(ids[1]).catch((error) => error)).toMatchObject({ code: 'SQLITE_FULL' })
    // Nor does one pass it for which there would be room.
    expect(await settle(ids[2], {}).catch((error) => error)).toMatchObject({ code: 'SQLITE_FULL' })
    await limitPages('free')
    expect(await quotaOf()).toBe(900)
    expect(await settle(ids[0])).toMatchObject({ paid: 0 })
    expect(await settle(ids[1])).toMatchObject({ paid: 100, before: 800, after: 700 })
    expect(await settle(ids[2])).toMatchObject({ paid: 100, before: 800, after: 700 })
    expect(await quotaOf()).toBe(700)
    expect(await rowsOf(ids)).toBe(3)
    expect(await reconcile(app.ctx.database.db)).toEqual([])
  })

  test('lets nobody spend what has been spent, though the tables do not say so yet', async () => {
    await setQuota(1000)
    const spent = await heldNow(900)
    await limitPages('fill')
    await app.ctx.ledger.settle(closing(spent.id, 900, logOf(spent.id, { content: 'x'.repeat(100_000) })))
    // Whatever may have changed a balance makes all of them unknown.
    await sql`update users set quota = quota where id = 0`.execute(app.ctx.database.db)
    const early = await Promise.resolve(app.ctx.ledger.reserve(holdOf(500))).catch((error) => error)
    expect(early).toMatchObject({ code: 'SQLITE_FULL' })
    await limitPages('free')
    expect(await app.ctx.ledger.reserve(holdOf(500))).toMatchObject({ ok: false, lacking: 'user', available: 100 })
    expect(await quotaOf()).toBe(100)
  })

  test('is named as what it is by a transaction of the console too', async () => {
    await limitPages('fill')
    const { db } = app.ctx.database
    const write = db.transaction().execute((tx) =>
      tx
        .insertInto('logs')
        .values(logOf('console', { content: 'x'.repeat(100_000) }))
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

const rowsOf = async (ids: readonly string[]) =>
  (await app.ctx.database.db.selectFrom('logs').select('id').where('request_id', 'in', ids).execute()).length

async function heldNow(amount: number) {
  const request = holdOf(amount)
  await app.ctx.ledger.reserve(request)
  return request
}
