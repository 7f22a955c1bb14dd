import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { type AnyDatabase, openDatabase, servingTimeouts } from '#server/db/database.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'

describe.skipIf(!onPostgres)('a node that stops in the middle of a transaction', () => {
  let stuck: AnyDatabase
  let other: AnyDatabase
  beforeAll(async () => {
    const url = await freshDatabaseUrl()
    stuck = openDatabase(url, servingTimeouts)
    other = openDatabase(url, servingTimeouts)
    await sql`create table things (id int primary key, name text)`.execute(other.db)
    await sql`insert into things values (1, 'before')`.execute(other.db)
  })
  afterAll(() => Promise.all([stuck.close(), other.close()]))

  test('loses its locks to those who wait for them, and its transaction with them', async () => {
    const locked = Promise.withResolvers<void>()
    const changed = Promise.withResolvers<void>()
    const paused = stuck.db.transaction().execute(async (tx) => {
      await sql`update things set name = 'stuck' where id = 1`.execute(tx)
      locked.resolve()
      await changed.promise
      await sql`select 1`.execute(tx)
    })
    await locked.promise
    await sql`update things set name = 'other' where id = 1`.execute(other.db)
    changed.resolve()
    await expect(paused).rejects.toThrow()
    const { rows } = await sql<{ name: string }>`select name from things`.execute(other.db)
    expect(rows).toEqual([{ name: 'other' }])
  })
})
