import { constants, Database as Sqlite } from 'bun:sqlite'
import { constants as access, accessSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, PostgresDialect, SqliteAdapter, type Transaction } from 'kysely'
import type pg from 'pg'
import { createMutex } from '#server/lib/mutex.ts'
import { readJournal } from './journal/journal-file.ts'
import { journalPath, replayJournal } from './journal/replay-journal.ts'
import { servingDialect } from './postgres/postgres-dialect.ts'
import { openPool } from './postgres/postgres-pool.ts'
import { bunSqliteDialect } from './sqlite-dialect.ts'
import type { Tables } from './tables.ts'
import { makeFolder, using } from './unusable.ts'
import { createFreshUsage, type FreshUsage } from './usage/fresh-usage.ts'

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

interface Common {
  readonly db: Db
  /** Aborted when the database is closed: what would use it later need not. */
  readonly closed: AbortSignal
  /** For long readings, which do not push out of memory what requests need there. */
  reader(): Db
  /** To ask whether the database is there; on PostgreSQL over a connection of its own, which stands behind nobody. */
  readonly probe: Db
  close(): Promise<void>
}

export interface SqliteDatabase extends Common {
  readonly engine: 'sqlite'
  /** Where its file lies; null when it has none. */
  readonly folder: string | null
  /** Runs synchronous work on the connection while no transaction is open on it. */
  exclusive<Result>(work: (sqlite: Sqlite) => Result): Promise<Result>
  /** Nobody uses the connection right now. */
  isIdle(): boolean
  /**
   * Where commits may be kept that are not in the tables yet: null when there is no file, or somebody keeps some there already.
   * `apply` writes them; it is called before anybody uses the database from now on and must not throw.
   */
  ownJournal(apply: () => void): string | null
  /** Grows with everything that may have changed a row, but for what `exclusive` did. */
  changes(): number
  /** What was used by requests whose rows are the last of the log. */
  readonly fresh: FreshUsage
}

export interface PostgresDatabase extends Common {
  readonly engine: 'postgres'
  readonly pool: pg.Pool
  /** Of the ledger alone: no report keeps a request waiting for a connection. */
  readonly ledgerPool: pg.Pool
  /** Of reports alone: they keep nobody else waiting for a connection. */
  readonly reportPool: pg.Pool
  /** Of `probe`. */
  readonly probePool: pg.Pool
  readonly timeouts: StatementTimeouts | undefined
}

/** How long to wait for an answer, so that a silent database blocks nobody for good. PostgreSQL only. */
export interface StatementTimeouts {
  /** Any statement, also one that reads a lot. */
  readonly anyMs: number
  /** Statements known to be short, while a request waits for them. */
  readonly shortMs: number
}

/** For a node that serves. What a command does may take as long as it needs. */
export const servingTimeouts: StatementTimeouts = { anyMs: 60_000, shortMs: 6000 }

export type AnyDatabase = SqliteDatabase | PostgresDatabase
export type Engine = AnyDatabase['engine']

/** For what has only a connection or a transaction in hand. */
export const isSqlite = (db: Db): boolean => db.getExecutor().adapter instanceof SqliteAdapter

export const openDatabase = (url: string, timeouts?: StatementTimeouts): AnyDatabase =>
  url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url, timeouts)

const inMemory = ':memory:'

/** Only one thread uses a connection, so that nothing has to be locked for each value that is bound. */
const openFlags = constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE | constants.SQLITE_OPEN_NOMUTEX

function openFile(file: string): Sqlite {
  const sqlite = new Sqlite(file, openFlags)
  // What may only be read is opened all the same, and the files beside it are made with the first reading.
  if (file !== inMemory) accessSync(file, access.W_OK)
  sqlite.run('pragma busy_timeout = 5000')
  sqlite.run('pragma journal_mode = wal')
  sqlite.run('select 1 from sqlite_master')
  return sqlite
}

function openSqlite(file: string): SqliteDatabase {
  if (file !== inMemory) makeFolder(dirname(file))
  const sqlite = using(file, () => openFile(file))
  sqlite.run('pragma synchronous = full')
  sqlite.run('pragma foreign_keys = on')
  sqlite.run('pragma cache_size = -65536')
  sqlite.run('pragma temp_store = memory')
  // Rarer checkpoints write pages that change with every commit less often.
  sqlite.run('pragma wal_autocheckpoint = 4000')
  const journal = file === inMemory ? null : journalPath(file)
  if (journal !== null) {
    const waiting = using(journal, () => readJournal(journal))
    replayJournal(sqlite, waiting)
  }
  const mutex = createMutex()
  const closing = new AbortController()
  let changes = 0
  let applyJournal: (() => void) | null = null
  const use = async () => {
    await mutex.acquire()
    applyJournal?.()
  }
  /** Shared by all who read long, however many there are. */
  let reading: ReturnType<typeof openForReading> | null = null
  const fresh = createFreshUsage()
  const onChange = (statement: string) => {
    changes += 1
    // Rows may be gone, changed or added: what is known of the last ones may no longer be true.
    if (statement.includes('logs')) fresh.forget()
  }
  const db = new Kysely<Tables>({ dialect: bunSqliteDialect(sqlite, { use, release: mutex.release }, onChange) })
  return {
    engine: 'sqlite',
    folder: file === inMemory ? null : dirname(file),
    db,
    probe: db,
    closed: closing.signal,
    isIdle: () => !mutex.isHeld(),
    ownJournal(apply) {
      if (journal === null || applyJournal !== null) return null
      applyJournal = apply
      return journal
    },
    changes: () => changes,
    fresh,
    reader() {
      if (file === inMemory) return db
      // A transaction that is open has begun after it was applied.
      reading ??= openForReading(file, () => (sqlite.inTransaction ? undefined : applyJournal?.()))
      return reading.db
    },
    async exclusive(work) {
      await use()
      try {
        return work(sqlite)
      } finally {
        mutex.release()
      }
    },
    async close() {
      closing.abort()
      await use()
      reading?.sqlite.close()
      sqlite.close()
      mutex.release()
    },
  }
}

/** Pages of a long reading are looked at once: few are kept. `apply` is called before each use. */
export function openForReading(file: string, apply = () => {}): { readonly sqlite: Sqlite; readonly db: Db } {
  const sqlite = new Sqlite(file, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_NOMUTEX)
  sqlite.run('pragma busy_timeout = 5000')
  sqlite.run('pragma cache_size = -2048')
  const { acquire, release } = createMutex()
  const use = async () => {
    await acquire()
    apply()
  }
  return { sqlite, db: new Kysely<Tables>({ dialect: bunSqliteDialect(sqlite, { use, release }, () => {}) }) }
}

function openPostgres(url: string, timeouts: StatementTimeouts | undefined): PostgresDatabase {
  const pool = openPool(url, { timeoutMs: timeouts?.anyMs, max: 8 })
  const ledgerPool = openPool(url, { timeoutMs: timeouts?.anyMs, max: 2, prepares: true })
  const reportPool = openPool(url, { timeoutMs: timeouts?.anyMs, max: 3 })
  const probePool = openPool(url, { timeoutMs: timeouts?.anyMs, max: 1 })
  const closing = new AbortController()
  const over = (of: pg.Pool) =>
    new Kysely<Tables>({ dialect: timeouts ? servingDialect(of) : new PostgresDialect({ pool: of }) })
  const db = over(pool)
  const reports = over(reportPool)
  return {
    engine: 'postgres',
    pool,
    ledgerPool,
    reportPool,
    probePool,
    timeouts: timeouts,
    db,
    reader: () => reports,
    probe: over(probePool),
    closed: closing.signal,
    async close() {
      closing.abort()
      await Promise.all([pool, ledgerPool, reportPool, probePool].map((each) => each.end()))
    },
  }
}
