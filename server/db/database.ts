import { Database as Sqlite } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, PostgresDialect, SqliteAdapter, type Transaction } from 'kysely'
import pg from 'pg'
import { createMutex } from '#server/lib/mutex.ts'
import { bunSqliteDialect } from './sqlite-dialect.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

interface Common {
  readonly db: Db
  close(): Promise<void>
}

export interface SqliteDatabase extends Common {
  readonly engine: 'sqlite'
  /** Runs synchronous work on the connection while no transaction is open on it. */
  exclusive<Result>(work: (sqlite: Sqlite) => Result): Promise<Result>
  /** Grows with everything that may have changed a row, but for what `exclusive` did. */
  changes(): number
}

export interface PostgresDatabase extends Common {
  readonly engine: 'postgres'
  readonly pool: pg.Pool
}

export type AnyDatabase = SqliteDatabase | PostgresDatabase
export type Engine = AnyDatabase['engine']

/** For what has only a connection or a transaction in hand. */
export const isSqlite = (db: Db): boolean => db.getExecutor().adapter instanceof SqliteAdapter

export const openDatabase = (url: string): AnyDatabase =>
  url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url)

function openSqlite(file: string): SqliteDatabase {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  const sqlite = new Sqlite(file, { create: true, strict: true, safeIntegers: false })
  sqlite.run('pragma journal_mode = wal')
  sqlite.run('pragma synchronous = full')
  sqlite.run('pragma busy_timeout = 5000')
  sqlite.run('pragma foreign_keys = on')
  sqlite.run('pragma cache_size = -65536')
  sqlite.run('pragma temp_store = memory')
  // Rarer checkpoints write pages that change with every commit less often.
  sqlite.run('pragma wal_autocheckpoint = 4000')
  const mutex = createMutex()
  let changes = 0
  const db = new Kysely<Tables>({ dialect: bunSqliteDialect(sqlite, mutex, () => (changes += 1)) })
  return {
    engine: 'sqlite',
    db,
    changes: () => changes,
    async exclusive(work) {
      await mutex.acquire()
      try {
        return work(sqlite)
      } finally {
        mutex.release()
      }
    },
    async close() {
      await mutex.acquire()
      sqlite.close()
      mutex.release()
    },
  }
}

const int8 = 20
const numeric = 1700

const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    id === int8 || id === numeric ? Number : pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser,
}

function openPostgres(url: string): PostgresDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 5000, types, keepAlive: true })
  // An idle connection that breaks is replaced on next use; without a listener the process would end.
  pool.on('error', () => {})
  // The same holds for one that breaks in use: whoever uses it hears of it from its query.
  pool.on('connect', (client) => void client.on('error', () => {}))
  return {
    engine: 'postgres',
    pool,
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    close: () => pool.end(),
  }
}
