import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type AnyDatabase, openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { freshDatabaseUrl } from '#server/testing/test-database.ts'

/**
 * What a node of the version before asks, one statement a line, written down while its tests ran. Nodes are replaced one by one, so
 * each of these must go on working on the schema of this version.
 */
const statementsOf = (engine: AnyDatabase['engine']): string[] =>
  readFileSync(join(import.meta.dirname, `${engine}.sql`), 'utf8')
    .split(/;\n/)
    .filter((line) => line !== '')

describe('the queries of the version before', () => {
  let database: AnyDatabase
  let statements: string[]
  beforeAll(async () => {
    database = openDatabase(await freshDatabaseUrl())
    await migrate(database)
    statements = statementsOf(database.engine)
  })
  afterAll(() => database.close())

  test('are understood on the schema of this one', async () => {
    const refused: string[] = []
    for (const statement of statements) {
      await understand(database, statement).catch((error) => refused.push(`${statement}: ${error}`))
    }
    expect(statements.length).toBeGreaterThan(100)
    expect(refused).toEqual([])
  })

  test('write whole rows: what this version has added fills itself', async () => {
    const missing: string[] = []
    for (const statement of statements) {
      const [, table = '', columns = ''] = /^insert into "?(\w+)"? \(([^)]+)\)/.exec(statement) ?? []
      if (table === '') continue
      const given = new Set(columns.split(',').map((name) => name.trim().replaceAll('"', '')))
      for (const name of await requiredOf(database, table)) if (!given.has(name)) missing.push(`${table}.${name}`)
    }
    expect([...new Set(missing)]).toEqual([])
  })
})

/** Has the engine read and plan a statement; nothing happens. */
async function understand(database: AnyDatabase, statement: string): Promise<void> {
  if (database.engine === 'sqlite') return database.exclusive((sqlite) => sqlite.prepare(statement).finalize())
  const client = await database.pool.connect()
  try {
    await client.query(`prepare question as ${statement}`)
    const count = Math.max(0, ...[...statement.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
    const nothing = count > 0 ? `(${new Array(count).fill('null').join(', ')})` : ''
    await client.query(`explain execute question${nothing}`)
  } finally {
    await client.query('deallocate all')
    client.release()
  }
}

/** Columns a new row must be given. */
async function requiredOf({ db, engine }: AnyDatabase, table: string): Promise<string[]> {
  const { rows } =
    engine === 'sqlite'
      ? await sql<{ name: string }>`select name from pragma_table_info(${table})
          where "notnull" = 1 and dflt_value is null and pk = 0`.execute(db)
      : await sql<{ name: string }>`select column_name as name from information_schema.columns
          where table_schema = 'public' and table_name = ${table} and is_nullable = 'NO' and column_default is null
          and is_identity = 'NO'`.execute(db)
  return rows.map(({ name }) => name)
}
