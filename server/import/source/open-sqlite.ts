import { Database as Sqlite } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { noSuchFile } from './address.ts'
import { type Check, refuseDamaged } from './damage.ts'
import { doubleQuoted, guardQuery, schemaOf } from './reading.ts'
import type { Schema, Source, SourceRow } from './source.ts'

const sqliteColumns = `select tables.name as t, columns.name as c
  from sqlite_master tables, pragma_table_info(tables.name) columns where tables.type = 'table'`

/** What is taken over as of one moment. Log rows follow by number. */
const books = [
  'users',
  'tokens',
  'channels',
  'redemptions',
  'options',
  'two_fas',
  'top_ups',
  'orders',
  'prices',
  'user_groups',
]
/** By which columns they are looked for. */
const keys = ['id', 'user_id']

/**
 * Whoever reads a file in one transaction keeps its program from writing, unless it keeps a write-ahead log. So what is read as of one
 * moment is copied aside, which takes a moment, and stands in place of the tables for whoever asks by this connection.
 */
function copyAside(sqlite: Sqlite, schema: Schema, tables: readonly string[]): void {
  for (const table of tables) {
    const name = doubleQuoted(table)
    sqlite.run(`create temp table ${name} as select * from main.${name}`)
  }
  if (schema.get('logs')?.has('id')) {
    const last = sqlite.query<{ id: number | null }, []>('select max(id) as id from main.logs').get()?.id ?? 0
    sqlite.run(`create temp view logs as select * from main.logs where id <= ${last}`)
  }
  sqlite.run('commit')
  for (const table of tables)
    for (const key of keys.filter((column) => schema.get(table)?.has(column)))
      sqlite.run(`create index temp.${doubleQuoted(`${table}_${key}`)} on ${doubleQuoted(table)} (${key})`)
}

export async function openSqlite(file: string, check: Check): Promise<Source> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Error(noSuchFile(file))
  const sqlite = new Sqlite(file, { readonly: true })
  sqlite.run('pragma busy_timeout = 30000')
  sqlite.run('begin')
  // Every page is another statement: none is worth keeping.
  const query = guardQuery(async (text) => {
    using statement = sqlite.prepare<SourceRow, []>(text)
    return statement.all()
  })
  const schema = schemaOf(await query(sqliteColumns))
  const [mode] = await query('pragma journal_mode')
  const isLocked = mode?.journal_mode !== 'wal'
  const present = books.filter((table) => schema.has(table))
  await refuseDamaged(query, present, check === 'books' && !isLocked ? 'all' : check)
  if (isLocked) copyAside(sqlite, schema, present)
  return {
    schema,
    query,
    quote: doubleQuoted,
    exact: doubleQuoted,
    release: async () => {
      if (sqlite.inTransaction) sqlite.run('rollback')
    },
    close: async () => sqlite.close(),
  }
}
