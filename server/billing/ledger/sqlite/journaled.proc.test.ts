import { Database as Sqlite } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { type Db, openDatabase } from '#server/db/database.ts'
import { journalPath } from '#server/db/journal/replay-journal.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { runCommand } from '#server/testing/run-command.ts'
import { closing, createPayer, holdOf, logOf, payOnce, quotaOf } from '#server/testing/settlements.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { reconcile } from '../reconcile.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
  await createPayer(app.ctx.database.db, 1_000_000)
  await payOnce(app.ctx, 1)
})
afterAll(() => app.stop())

const rowsIn = async (db: Db) =>
  (await db.selectFrom('logs').select('id').where('request_id', '<>', '').execute()).length

/** As somebody sees the tables who knows nothing of a journal. */
function rowsInFile(): number {
  const sqlite = new Sqlite(app.ctx.config.DATABASE_URL.slice('sqlite:'.length), { readonly: true })
  const row = sqlite.query<{ count: number }, []>("select count(*) as count from logs where request_id <> ''").get()
  sqlite.close()
  return row?.count ?? 0
}

/** Every request so far is paid, written down and counted once. */
async function expectBooks(before: { rows: number; quota: number }, charges: readonly number[]): Promise<void> {
  const { db } = app.ctx.database
  expect(await rowsIn(db)).toBe(before.rows + charges.length)
  expect(await quotaOf(db)).toBe(before.quota - charges.reduce((sum, charge) => sum + charge, 0))
  expect(await reconcile(db)).toEqual([])
  await foldLogs(app.ctx)
  const counted = await db.selectFrom('log_totals').select('count').execute()
  expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(before.rows + charges.length)
  const used = await db.selectFrom('usage_totals').select(['requests', 'quota', 'span']).execute()
  const finest = Math.min(...used.map(({ span }) => span))
  const cells = used.filter(({ span }) => span === finest)
  expect(cells.reduce((sum, { requests }) => sum + requests, 0)).toBe(before.rows + charges.length)
}

const books = async () => ({ rows: await rowsIn(app.ctx.database.db), quota: await quotaOf(app.ctx.database.db) })

describe.skipIf(onPostgres)('a settlement that is in the journal', () => {
  test('is in the tables for whoever uses the database, by whichever way', async () => {
    const { database } = app.ctx
    if (database.engine !== 'sqlite') throw new Error('only SQLite has a journal')
    const before = await books()
    const ways: (() => Promise<number>)[] = [
      () => rowsIn(database.db),
      () => rowsIn(database.reader()),
      () => database.db.transaction().execute(rowsIn),
      () => database.exclusive(rowsInFile),
    ]
    const reader = database.reader()
    ways.push(() => rowsIn(reader))
    for (const [at, read] of ways.entries()) {
      await payOnce(app.ctx, 5)
      expect(rowsInFile()).toBe(before.rows + at)
      expect(await read()).toBe(before.rows + at + 1)
      expect(rowsInFile()).toBe(before.rows + at + 1)
    }
    await expectBooks(before, Array(ways.length).fill(5))
  })

  test('gets into the tables by itself', async () => {
    const before = rowsInFile()
    await payOnce(app.ctx, 5)
    while (rowsInFile() === before) await Bun.sleep(10)
    expect(rowsInFile()).toBe(before + 1)
  })

  test('is written once, though another process writes it while this one runs', async () => {
    const before = await books()
    const open = () => openDatabase(app.ctx.config.DATABASE_URL)
    await payOnce(app.ctx, 1)
    await payOnce(app.ctx, 2)
    await open().close()
    expect(rowsInFile()).toBe(before.rows + 2)
    await payOnce(app.ctx, 4)
    await payOnce(app.ctx, 8)
    await expectBooks(before, [1, 2, 4, 8])
    await payOnce(app.ctx, 16)
    await open().close()
    await expectBooks(before, [1, 2, 4, 8, 16])
    await payOnce(app.ctx, 32)
    const { DATABASE_URL } = app.ctx.config
    expect(await runCommand(['reconcile'], { DATABASE_URL })).toMatchObject({ code: 0 })
    await payOnce(app.ctx, 64)
    await expectBooks(before, [1, 2, 4, 8, 16, 32, 64])
  })

  test('is there with many others, and with such as do not fit beside each other', async () => {
    const before = await books()
    const charges: number[] = []
    for (let round = 0; round < 30; round += 1) {
      const some = Array.from({ length: 1 + (round % 7) * 10 }, (_, at) => at)
      await Promise.all(some.map((charge) => payOnce(app.ctx, charge)))
      charges.push(...some)
    }
    for (let round = 0; round < 5; round += 1) {
      const { id } = await heldNow(3)
      await app.ctx.ledger.settle(closing(id, 3, logOf(id, { content: 'x'.repeat(400_000) })))
      charges.push(3)
    }
    await expectBooks(before, charges)
  })

  test('is not refused for another of the same moment that cannot be stored', async () => {
    const before = await books()
    const [good, bad, other] = [await heldNow(3), await heldNow(3), await heldNow(3)]
    const outcomes = await Promise.allSettled(
      [good, bad, other].map(({ id }) =>
        app.ctx.ledger.settle(closing(id, 3, logOf(id, { duration_ms: id === bad.id ? Number.NaN : 1 }))),
      ),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    await app.ctx.ledger.settle(closing(bad.id, 0))
    await expectBooks(before, [3, 3])
  })

  test('is in the tables when the app has stopped', async () => {
    const own = await startTestApp()
    await createPayer(own.ctx.database.db, 1000)
    for (const charge of [1, 2, 3]) await payOnce(own.ctx, charge)
    const { DATABASE_URL } = own.ctx.config
    await own.stop()
    const sqlite = new Sqlite(DATABASE_URL.slice('sqlite:'.length), { readonly: true })
    expect(sqlite.query('select sum(quota) as paid from logs').all()).toEqual([{ paid: 6 }])
    sqlite.close()
    const next = await startTestApp({ databaseUrl: DATABASE_URL })
    await payOnce(next.ctx, 4)
    expect(await quotaOf(next.ctx.database.db)).toBe(1000 - 10)
    expect(await reconcile(next.ctx.database.db)).toEqual([])
    await next.stop()
  })
})

test.skipIf(onPostgres)(
  'a journal that cannot be made is logged once with the reason, and everything is paid all the same',
  async () => {
    const own = await startTestApp()
    await createPayer(own.ctx.database.db, 1000)
    const warn = spyOn(own.ctx.log, 'warn')
    mkdirSync(journalPath(own.ctx.config.DATABASE_URL.slice('sqlite:'.length)))
    for (const charge of [1, 2, 3]) await payOnce(own.ctx, charge)
    expect(warn.mock.calls).toEqual([[expect.stringContaining('journal'), { cause: expect.any(Error) }]])
    expect(await quotaOf(own.ctx.database.db)).toBe(1000 - 6)
    expect(await reconcile(own.ctx.database.db)).toEqual([])
    await own.stop()
  },
)

async function heldNow(amount: number) {
  const request = holdOf(amount)
  await app.ctx.ledger.reserve(request)
  return request
}
