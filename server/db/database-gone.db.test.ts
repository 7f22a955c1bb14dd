import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { addressOf, startTcpBalancer } from '#server/testing/tcp-balancer.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { openDatabase, servingTimeouts } from './database.ts'
import { createGoneReport, isDatabaseGone } from './database-gone.ts'

test.if(onPostgres)('a database that takes connections and never greets is gone', async () => {
  const url = new URL(await freshDatabaseUrl())
  const way = await startTcpBalancer([addressOf(url.toString())])
  url.port = String(way.port)
  way.hush()
  const database = openDatabase(url.toString(), servingTimeouts)
  const failed = await sql`select 1`.execute(database.db).catch((error: unknown) => error)
  expect(isDatabaseGone(failed)).toBe(true)
  await database.close()
  await way.stop()
})

test('many requests that meet a lost database make one line of the log, and the next says how many came between', () => {
  const lines: Record<string, unknown>[] = []
  let now = 0
  const report = createGoneReport({ error: (_, fields = {}) => lines.push(fields), debug() {} }, () => now)
  const full = new Error('the disk of the database is full')
  for (const request of ['a', 'b', 'c']) report(full, { request })
  expect(lines).toEqual([{ request: 'a', reason: full.message }])
  now = 60_000
  report(full, { request: 'd' })
  expect(lines.at(-1)).toEqual({ request: 'd', reason: full.message, others: 2 })
})
