import { Database as Sqlite } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import pg from 'pg'
import type { Source, SourceRow } from './source.ts'

/** A file is SQLite; otherwise the address says which engine. */
export function openSource(address: string): Promise<Source> {
  if (/^(mysql|mariadb):\/\//.test(address)) return openMysql(address)
  if (/^postgres(ql)?:\/\//.test(address)) return openPostgres(address)
  return openSqlite(address.replace(/^(sqlite|file):(\/\/)?/, ''))
}

const doubleQuoted = (name: string) => `"${name.replaceAll('"', '""')}"`

async function openSqlite(file: string): Promise<Source> {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`)
  const sqlite = new Sqlite(file, { readonly: true })
  sqlite.run('pragma busy_timeout = 30000')
  sqlite.run('begin')
  return {
    query: async (text) => sqlite.query<SourceRow, []>(text).all(),
    quote: doubleQuoted,
    close: async () => sqlite.close(),
  }
}

async function openPostgres(address: string): Promise<Source> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 10_000 })
  await client.connect()
  await client.query('begin isolation level repeatable read read only')
  return {
    query: async (text) => (await client.query<SourceRow>(text)).rows,
    quote: doubleQuoted,
    close: () => client.end(),
  }
}

async function openMysql(address: string): Promise<Source> {
  const pool = new Bun.SQL(address.replace(/^mariadb:/, 'mysql:'), { max: 1, connectionTimeout: 10 })
  const connection = await pool.reserve()
  await connection.unsafe('set session transaction isolation level repeatable read')
  await connection.unsafe('start transaction with consistent snapshot')
  return {
    query: async (text) => [...(await connection.unsafe(text))],
    quote: (name) => `\`${name.replaceAll('`', '``')}\``,
    async close() {
      await connection.unsafe('rollback')
      connection.release()
      await pool.close()
    },
  }
}
