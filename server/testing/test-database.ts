import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { randomHex } from '#server/lib/random.ts'

/** Set by the test runner to the address of a PostgreSQL server when the suite runs on it. */
const server = process.env.TEST_POSTGRES_URL ?? ''

export const onPostgres = server !== ''

/** A database nobody else uses: a SQLite file in a temporary folder, or a new database of the PostgreSQL server. */
export async function freshDatabaseUrl(): Promise<string> {
  if (!onPostgres) return `sqlite:${join(mkdtempSync(join(tmpdir(), 'switchyard-')), 'test.db')}`
  const name = `test_${randomHex(12)}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.toString()
}
