import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { addressOf, startTcpBalancer } from '#server/testing/tcp-balancer.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { openDatabase, servingTimeouts } from './database.ts'
import { isDatabaseGone } from './database-gone.ts'

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
