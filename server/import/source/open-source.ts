import pg from 'pg'
import { readAddress } from './address.ts'
import type { Check } from './damage.ts'
import { openSqlite } from './open-sqlite.ts'
import { doubleQuoted, guardQuery, schemaOf, withSourceErrors } from './reading.ts'
import type { Source, SourceRow } from './source.ts'

const opening = {
  sqlite: openSqlite,
  mysql: (address: string) => openMysql(address),
  postgres: (address: string) => openPostgres(address),
}

/** Opens it as of this moment; a file is looked at for damage first. */
export const openSource = (address: string, check: Check = 'all'): Promise<Source> =>
  withSourceErrors(async () => {
    const { engine, place } = readAddress(address)
    return opening[engine](place, check)
  })

const columnsIn = (place: string) =>
  `select table_name, column_name from information_schema.columns where table_schema = ${place}`

async function openPostgres(address: string): Promise<Source> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 10_000 })
  // A connection that is lost between two questions is found out with the next one.
  client.on('error', () => {})
  await client.connect()
  await client.query('begin isolation level repeatable read read only')
  const query = guardQuery(async (text) => (await client.query<SourceRow>(text)).rows)
  return {
    schema: schemaOf(await query(columnsIn('current_schema()'))),
    query,
    quote: doubleQuoted,
    exact: doubleQuoted,
    release: async () => void (await client.query('rollback')),
    close: () => client.end(),
  }
}

const backQuoted = (name: string) => `\`${name.replaceAll('`', '``')}\``

async function openMysql(address: string): Promise<Source> {
  const pool = new Bun.SQL(address, { max: 1, connectionTimeout: 10 })
  const connection = await pool.reserve()
  await connection.unsafe('set session transaction isolation level repeatable read')
  await connection.unsafe('start transaction with consistent snapshot, read only')
  const query = guardQuery(async (text) => [...(await connection.unsafe(text))])
  return {
    schema: schemaOf(await query(columnsIn('database()'))),
    query,
    quote: backQuoted,
    exact: (name) => `convert(${backQuoted(name)} using utf8mb4) collate utf8mb4_bin as ${backQuoted(name)}`,
    release: async () => void (await connection.unsafe('rollback')),
    async close() {
      connection.release()
      await pool.close()
    },
  }
}
