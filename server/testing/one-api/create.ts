import { Database as Sqlite } from 'bun:sqlite'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { type Making, oneApiRows, passwords, type Value } from './data.ts'
import { createTable, type OneApiTable, type SourceEngine, schemas } from './schema.ts'

const literal = (engine: SourceEngine, value: Value): string => {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return engine === 'sqlite' ? String(Number(value)) : String(value)
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}

const quoted = (mark: string) => (name: string) => `${mark}${name}${mark}`

function statements(engine: SourceEngine, making: Making): string[] {
  const quote = quoted(engine === 'mysql' ? '`' : '"')
  const rows = oneApiRows(making)
  return Object.entries(schemas[making.version]).flatMap(([table, columns]) => [
    createTable(engine, quote, table, columns),
    ...rows[table as OneApiTable].map((row) => {
      const names = Object.keys(row).map(quote).join(', ')
      const values = Object.values(row).map((value) => literal(engine, value))
      return `insert into ${quote(table)} (${names}) values (${values.join(', ')})`
    }),
  ])
}

/** Go's bcrypt marks its hashes `$2a$`. */
const bcrypt = async (password: string): Promise<string> =>
  (await Bun.password.hash(password, { algorithm: 'bcrypt', cost: 4 })).replace(/^\$2[by]\$/, '$2a$')

/** A one-api database of the engine this suite runs on. Answers where it is. */
export async function createOneApi(making: Omit<Making, 'hashes'>): Promise<string> {
  const hashes = { root: await bcrypt(passwords.root), ann: await bcrypt(passwords.ann) }
  const texts = (engine: SourceEngine) => statements(engine, { ...making, hashes })
  if (process.env.TEST_MYSQL_URL) return createOnMysql(process.env.TEST_MYSQL_URL, texts('mysql'))
  if (onPostgres) return createOnPostgres(texts('postgres'))
  const file = join(mkdtempSync(join(tmpdir(), 'one-api-')), 'one-api.db')
  const sqlite = new Sqlite(file)
  for (const text of texts('sqlite')) sqlite.run(text)
  sqlite.close()
  return file
}

async function createOnPostgres(texts: readonly string[]): Promise<string> {
  const url = await freshDatabaseUrl()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const text of texts) await client.query(text)
  await client.end()
  return url
}

/** Set TEST_MYSQL_URL to a server where databases may be created. */
async function createOnMysql(server: string, texts: readonly string[]): Promise<string> {
  const url = new URL(server)
  url.pathname = `/one_api_${crypto.randomUUID().slice(0, 8)}`
  const admin = new Bun.SQL(server, { max: 1 })
  await admin.unsafe(`create database ${url.pathname.slice(1)} character set utf8mb4`)
  await admin.unsafe(`use ${url.pathname.slice(1)}`)
  for (const text of texts) await admin.unsafe(text)
  await admin.close()
  return url.toString()
}
