import { Database as Sqlite } from 'bun:sqlite'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freshDatabaseUrl, onPostgres } from './test-database.ts'

export type SourceEngine = 'sqlite' | 'postgres' | 'mysql'
export type Value = string | number | boolean | null
export type Row = Readonly<Record<string, Value>>

export type Kind =
  | 'id'
  | 'whole'
  | 'big'
  | 'text'
  | 'name'
  | 'real'
  | 'flag'
  | 'time'
  | `char(${number})`
  | `varchar(${number})`
export type Columns = Readonly<Record<string, Kind>>

/** A table of another program, with what is in it. */
export interface OldTable {
  readonly columns: Columns
  readonly rows: readonly Row[]
}

export type OldTables = Readonly<Record<string, OldTable>>

const types: Readonly<Record<SourceEngine, Readonly<Record<string, string>>>> = {
  sqlite: {
    id: 'integer primary key',
    whole: 'integer',
    big: 'integer',
    name: 'text',
    flag: 'numeric',
    time: 'datetime',
  },
  postgres: {
    id: 'bigserial primary key',
    whole: 'bigint',
    name: 'text',
    real: 'decimal',
    flag: 'boolean',
    time: 'timestamptz',
  },
  mysql: {
    id: 'bigint auto_increment primary key',
    whole: 'bigint',
    text: 'longtext',
    name: 'varchar(191)',
    real: 'double',
    flag: 'tinyint(1)',
    time: 'datetime(3)',
  },
}

const quoteOf = (engine: SourceEngine) => (name: string) => (engine === 'mysql' ? `\`${name}\`` : `"${name}"`)

function createTable(engine: SourceEngine, table: string, columns: Columns): string {
  const quote = quoteOf(engine)
  const typeOf = (kind: Kind) => types[engine][kind] ?? (kind === 'big' ? 'bigint' : kind)
  const lines = Object.entries(columns).map(([name, kind]) => `${quote(name)} ${typeOf(kind)}`)
  return `create table ${quote(table)} (${lines.join(', ')})`
}

const literal = (engine: SourceEngine, value: Value): string => {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return engine === 'sqlite' ? String(Number(value)) : String(value)
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}

export function insertRow(engine: SourceEngine, table: string, row: Row): string {
  const quote = quoteOf(engine)
  const names = Object.keys(row).map(quote).join(', ')
  const values = Object.values(row).map((value) => literal(engine, value))
  return `insert into ${quote(table)} (${names}) values (${values.join(', ')})`
}

/** Columns a table does not have are not written. */
const present = (columns: Columns, row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([column]) => column in columns))

const statements = (engine: SourceEngine, tables: OldTables): string[] =>
  Object.entries(tables).flatMap(([table, { columns, rows }]) => [
    createTable(engine, table, columns),
    ...rows.map((row) => insertRow(engine, table, present(columns, row))),
  ])

/** Go's bcrypt marks its hashes `$2a$`. */
export const bcrypt = async (password: string): Promise<string> =>
  (await Bun.password.hash(password, { algorithm: 'bcrypt', cost: 4 })).replace(/^\$2[by]\$/, '$2a$')

export interface OldDatabase {
  readonly address: string
  /** Runs statements on it, as its program would; written for the engine. */
  run(statements: (engine: SourceEngine) => readonly string[]): Promise<void>
}

/** A database of another program, on the engine this suite runs on. */
export async function createOldDatabase(tables: OldTables): Promise<OldDatabase> {
  const { address, engine, run } = await emptyDatabase()
  await run(statements(engine, tables))
  return { address, run: (texts) => run(texts(engine)) }
}

interface Opened {
  readonly address: string
  readonly engine: SourceEngine
  run(texts: readonly string[]): Promise<void>
}

async function emptyDatabase(): Promise<Opened> {
  if (process.env.TEST_MYSQL_URL) return emptyMysql(process.env.TEST_MYSQL_URL)
  if (onPostgres) return emptyPostgres()
  const address = join(mkdtempSync(join(tmpdir(), 'old-')), 'old.db')
  return {
    address,
    engine: 'sqlite',
    async run(texts) {
      const sqlite = new Sqlite(address)
      for (const text of texts) sqlite.run(text)
      sqlite.close()
    },
  }
}

async function emptyPostgres(): Promise<Opened> {
  const address = await freshDatabaseUrl()
  return {
    address,
    engine: 'postgres',
    async run(texts) {
      const client = new pg.Client({ connectionString: address })
      await client.connect()
      for (const text of texts) await client.query(text)
      await client.end()
    },
  }
}

/** Set TEST_MYSQL_URL to a server where databases may be created. */
async function emptyMysql(server: string): Promise<Opened> {
  const url = new URL(server)
  url.pathname = `/old_${crypto.randomUUID().slice(0, 8)}`
  const admin = new Bun.SQL(server, { max: 1 })
  await admin.unsafe(`create database ${url.pathname.slice(1)} character set utf8mb4`)
  await admin.close()
  return {
    address: url.toString(),
    engine: 'mysql',
    async run(texts) {
      const connection = new Bun.SQL(url.toString(), { max: 1 })
      for (const text of texts) await connection.unsafe(text)
      await connection.close()
    },
  }
}
