import { Database as Sqlite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Db, openDatabase } from '#server/db/database.ts'
import { readJournal } from '#server/db/journal/journal-file.ts'
import { journalPath } from '#server/db/journal/replay-journal.ts'
import { totalsTables } from '#server/db/logs/log-totals.ts'
import { shapes } from '#server/db/usage/shapes.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { newFolder, runCommand } from '#server/testing/run-command.ts'
import { createPayer, payer, payOnce, quotaOf } from '#server/testing/settlements.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { reconcile } from '../reconcile.ts'

const program = join(import.meta.dirname, '../../../testing/settle-process.ts')

/** Settles so many requests of seven in a process that is killed with the last one. Returns what was acknowledged. */
async function settleAndDie(url: string, count: number): Promise<string[]> {
  const child = Bun.spawn([process.execPath, program, url, String(count), '7'], { stdout: 'pipe', stderr: 'inherit' })
  const printed = await new Response(child.stdout).text()
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
  return printed.trim().split('\n')
}

const fileOf = (url: string) => url.slice('sqlite:'.length)

/** As somebody sees the tables who knows nothing of a journal. */
function rowsInTables(file: string): number {
  const sqlite = new Sqlite(file, { readonly: true })
  const row = sqlite.query<{ count: number }, []>("select count(*) as count from logs where request_id <> ''").get()
  sqlite.close()
  return row?.count ?? 0
}

const settledIn = async (db: Db) => {
  const logs = await db.selectFrom('logs').select('request_id').where('request_id', '<>', '').orderBy('id').execute()
  const entries = await db.selectFrom('ledger_entries').select(['ref', 'amount']).where('kind', '=', 'settle').execute()
  const { request_count, used_quota } = await db
    .selectFrom('users')
    .select(['request_count', 'used_quota'])
    .where('id', '=', payer.userId)
    .executeTakeFirstOrThrow()
  return {
    logs: logs.map(({ request_id }) => request_id),
    entries: entries.map(({ ref }) => ref),
    paid: entries.reduce((sum, { amount }) => sum - amount, 0),
    requests: request_count,
    used: used_quota,
  }
}

const expected = (ids: string[]) => ({
  logs: ids,
  entries: ids,
  paid: ids.length * 7,
  requests: ids.length,
  used: ids.length * 7,
})

test.skipIf(onPostgres)('what was acknowledged before kill -9 is in the tables of whoever opens the file', async () => {
  const url = await freshDatabaseUrl()
  const ids = await settleAndDie(url, 30)
  expect(ids).toHaveLength(30)
  // The test is worth something only while most of it is nowhere but in the journal.
  expect(rowsInTables(fileOf(url))).toBeLessThan(30)

  for (let open = 0; open < 2; open += 1) {
    const database = openDatabase(url)
    expect(await settledIn(database.db)).toEqual(expected(ids))
    expect(await quotaOf(database.db)).toBe(100_000 - 30 * 7)
    expect(await reconcile(database.db)).toEqual([])
    await database.close()
  }

  const app = await startTestApp({ databaseUrl: url })
  const { db } = app.ctx.database
  const more = [await payOnce(app.ctx, 7), await payOnce(app.ctx, 7)]
  await foldLogs(app.ctx)
  expect(await settledIn(db)).toEqual(expected([...ids, ...more]))
  for (const { table, spans } of shapes)
    for (const span of spans) {
      const { rows } = await sql<{ requests: number; quota: number }>`
        select sum(requests) as requests, sum(quota) as quota from ${sql.table(table)} where span = ${span}`.execute(db)
      expect(rows).toEqual([{ requests: 32, quota: 32 * 7 }])
    }
  for (const { name } of totalsTables) {
    const rows = await db.selectFrom(name).select('count').execute()
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(32)
  }
  expect(await reconcile(db)).toEqual([])
  await app.stop()
})

test.skipIf(onPostgres)('a backup has it too, and changes nothing of what it copies', async () => {
  const dataDir = newFolder()
  const url = `sqlite:${join(dataDir, 'switchyard.db')}`
  const ids = await settleAndDie(url, 20)
  const before = rowsInTables(fileOf(url))
  expect(before).toBeLessThan(20)
  const [folder, restored] = [newFolder(), newFolder()]
  const env = { SECRET_KEY: 'a secret key for tests' }
  expect(await runCommand(['backup', folder], { DATA_DIR: dataDir, ...env })).toMatchObject({ code: 0 })
  expect(rowsInTables(fileOf(url))).toBe(before)
  expect(await runCommand(['restore', folder], { DATA_DIR: restored, ...env })).toMatchObject({ code: 0 })
  for (const place of [restored, dataDir]) {
    const database = openDatabase(`sqlite:${join(place, 'switchyard.db')}`)
    expect(await settledIn(database.db)).toEqual(expected(ids))
    expect(await reconcile(database.db)).toEqual([])
    await database.close()
  }
})

test.skipIf(onPostgres)('a journal beside another database is left alone', async () => {
  const url = await freshDatabaseUrl()
  await settleAndDie(url, 10)
  const journal = readJournal(journalPath(fileOf(url)))
  expect(journal?.records.length).toBeGreaterThan(0)
  const other = await freshDatabaseUrl()
  const first = await startTestApp({ databaseUrl: other })
  await createPayer(first.ctx.database.db, 1000)
  const own = [await payOnce(first.ctx, 7), await payOnce(first.ctx, 7)]
  await first.stop()
  await Bun.write(journalPath(fileOf(other)), Bun.file(journalPath(fileOf(url))))
  const database = openDatabase(other)
  expect(await settledIn(database.db)).toEqual(expected(own))
  await database.close()
})
