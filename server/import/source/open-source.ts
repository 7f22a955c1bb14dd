import { Database as Sqlite } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import pg from 'pg'
import { type Schema, type Source, SourceLost, type SourceRow } from './source.ts'

/** A file is SQLite; otherwise the address says which engine. */
export function openSource(address: string): Promise<Source> {
  if (/^(mysql|mariadb):\/\//.test(address)) return blamed(() => openMysql(address))
  if (/^postgres(ql)?:\/\//.test(address)) return blamed(() => openPostgres(address))
  return blamed(() => openSqlite(address.replace(/^(sqlite|file):(\/\/)?/, '')))
}

type Query = Source['query']

/** Whatever goes wrong in the old database is said to be its fault. */
async function blamed<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw cause instanceof SourceLost ? cause : new SourceLost(reasonOf(cause), { cause })
  }
}

/** What drivers say of a connection that is gone, in words that say so. */
const goneWords = /must be a MySQLConnection|connection (closed|is closed|terminated)|not queryable|ECONNRESET/i

const reasonOf = (cause: unknown): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  return goneWords.test(message) ? 'the connection to it was lost' : message.replace(/\.$/, '')
}

const blaming =
  (query: Query): Query =>
  (text) =>
    blamed(() => query(text))

const schemaOf = (rows: readonly SourceRow[]): Schema => {
  const tables = new Map<string, Set<string>>()
  for (const row of rows) {
    // MySQL answers its own names in capitals.
    const [table, column] = Object.values(row).map(String)
    if (table === undefined || column === undefined) continue
    tables.set(table, (tables.get(table) ?? new Set()).add(column))
  }
  return tables
}

const columnsIn = (place: string) =>
  `select table_name, column_name from information_schema.columns where table_schema = ${place}`

const sqliteColumns = `select tables.name as t, columns.name as c
  from sqlite_master tables, pragma_table_info(tables.name) columns where tables.type = 'table'`

const doubleQuoted = (name: string) => `"${name.replaceAll('"', '""')}"`

async function openSqlite(file: string): Promise<Source> {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`)
  const sqlite = new Sqlite(file, { readonly: true })
  sqlite.run('pragma busy_timeout = 30000')
  sqlite.run('begin')
  // Every page is another statement: none is worth keeping.
  const query = blaming(async (text) => {
    using statement = sqlite.prepare<SourceRow, []>(text)
    return statement.all()
  })
  return {
    schema: schemaOf(await query(sqliteColumns)),
    query,
    quote: doubleQuoted,
    // A program that writes to the file waits for whoever reads it.
    release: async () => void sqlite.run('rollback'),
    close: async () => sqlite.close(),
  }
}

async function openPostgres(address: string): Promise<Source> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 10_000 })
  // A connection that is lost between two questions is found out with the next one.
  client.on('error', () => {})
  await client.connect()
  await client.query('begin isolation level repeatable read read only')
  const query = blaming(async (text) => (await client.query<SourceRow>(text)).rows)
  return {
    schema: schemaOf(await query(columnsIn('current_schema()'))),
    query,
    quote: doubleQuoted,
    release: async () => void (await client.query('rollback')),
    close: () => client.end(),
  }
}

async function openMysql(address: string): Promise<Source> {
  const pool = new Bun.SQL(address.replace(/^mariadb:/, 'mysql:'), { max: 1, connectionTimeout: 10 })
  const connection = await pool.reserve()
  await connection.unsafe('set session transaction isolation level repeatable read')
  await connection.unsafe('start transaction with consistent snapshot, read only')
  const query = blaming(async (text) => [...(await connection.unsafe(text))])
  return {
    schema: schemaOf(await query(columnsIn('database()'))),
    query,
    quote: (name) => `\`${name.replaceAll('`', '``')}\``,
    release: async () => void (await connection.unsafe('rollback')),
    async close() {
      connection.release()
      await pool.close()
    },
  }
}
