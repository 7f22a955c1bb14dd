import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type AnyDatabase, openDatabase, type SqliteDatabase } from '#server/db/database.ts'
import { openJournalFile } from '#server/db/journal/journal-file.ts'
import { journalPath } from '#server/db/journal/replay-journal.ts'
import { migrate } from '#server/db/migrate.ts'
import { createStore } from '#server/testing/ledger-store.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import type { Changes } from '../decide.ts'
import { type Commit, createJournaledWrites, type JournaledWrites } from './journaled-writes.ts'
import { prepareStatements, type Statements } from './sqlite-statements.ts'

const { changes: noChanges } = createStore([], []).commit([])

/** A commit by which so much goes through a channel. */
const paying = (amount: number): Commit => ({
  writes: { accounts: [], channels: new Map([[7, amount]]), entries: [], logs: [], unlogged: [] },
  changes: { ...noChanges },
})

let url: string
let database: SqliteDatabase
let use: Statements
let writes: JournaledWrites
let found: Changes[]
let opened: number
let unavailable: unknown[]
/** What the disk does with the next record: takes it, or says it failed when it did not. */
let disk: 'works' | 'fails' | 'has no file'

const sqliteOf = (any: AnyDatabase): SqliteDatabase => {
  if (any.engine !== 'sqlite') throw new Error('only SQLite has a journal')
  return any
}

const open: typeof openJournalFile = (path, statements) => {
  opened += 1
  if (disk === 'has no file') throw new Error('no such folder')
  const file = openJournalFile(path, statements)
  return {
    ...file,
    append(number, rows) {
      const isThere = file.append(number, rows)
      if (disk === 'fails') throw new Error('input/output error')
      return isThere
    },
  }
}

beforeEach(async () => {
  if (onPostgres) return
  url = await freshDatabaseUrl()
  database = sqliteOf(openDatabase(url))
  await migrate(database)
  use = await database.exclusive((sqlite) => {
    sqlite.run("insert into channels (id, name) values (7, 'channel')")
    return prepareStatements(sqlite)
  })
  found = []
  opened = 0
  unavailable = []
  disk = 'works'
  const path = journalPath(url.slice('sqlite:'.length))
  const { fresh } = database
  const journaled = {
    path,
    fresh,
    due() {},
    found: (one: Changes) => found.push(one),
    seen() {},
    unavailable: (cause: unknown) => unavailable.push(cause),
  }
  writes = createJournaledWrites(journaled, open)
  writes.apply(use)
})
afterEach(async () => {
  if (onPostgres) return
  writes.close()
  await database.close()
})

/** What another process sees, which has opened the file and so applied what it found. */
async function paidFound(): Promise<number> {
  const other = openDatabase(url)
  const row = await other.db.selectFrom('channels').select('used_quota').executeTakeFirstOrThrow()
  await other.close()
  return row.used_quota
}

describe.skipIf(onPostgres)('a record the disk says it has refused', () => {
  test('is not taken for written, nor found later once it has been overtaken', async () => {
    expect(writes.append(paying(1))).toBeTrue()
    disk = 'fails'
    expect(writes.append(paying(10))).toBeFalse()
    disk = 'works'
    expect(writes.append(paying(100))).toBeFalse()
    writes.apply(use)
    expect(await paidFound()).toBe(1)
    expect(writes.append(paying(1000))).toBeTrue()
    expect(await paidFound()).toBe(1001)
    writes.apply(use)
    expect(await paidFound()).toBe(1001)
    expect(found).toEqual([])
  })

  test('is said to be settled when another process has found it and written it before', async () => {
    writes.append(paying(1))
    disk = 'fails'
    const doubtful = paying(10)
    expect(writes.append(doubtful)).toBeFalse()
    disk = 'works'
    expect(await paidFound()).toBe(11)
    writes.apply(use)
    expect(found).toEqual([doubtful.changes])
    expect(found[0]).toBe(doubtful.changes)
    expect(writes.append(paying(100))).toBeTrue()
    writes.apply(use)
    expect(await paidFound()).toBe(111)
    expect(found).toHaveLength(1)
  })
})

describe.skipIf(onPostgres)('what the tables refuse', () => {
  test('waits, lets nothing pass it, and is written once they take it', async () => {
    writes.append(paying(1))
    await database.exclusive((sqlite) => sqlite.run('pragma query_only = on'))
    expect(() => writes.apply(use)).toThrow()
    expect(writes.isWaiting()).toBeTrue()
    expect(writes.append(paying(10))).toBeFalse()
    await database.exclusive((sqlite) => sqlite.run('pragma query_only = off'))
    writes.apply(use)
    expect(writes.isWaiting()).toBeFalse()
    expect(writes.append(paying(100))).toBeTrue()
    expect(await paidFound()).toBe(101)
    writes.apply(use)
    expect(await paidFound()).toBe(101)
  })
})

describe.skipIf(onPostgres)('without a file', () => {
  test('nothing is kept for later, none is tried again, and the reason is given once', () => {
    disk = 'has no file'
    expect(writes.append(paying(1))).toBeFalse()
    disk = 'works'
    expect(writes.append(paying(1))).toBeFalse()
    expect(writes.isWaiting()).toBeFalse()
    expect(opened).toBe(1)
    expect(unavailable).toEqual([new Error('no such folder')])
  })
})

test.skipIf(onPostgres)('a database gives its journal to one owner', () => {
  expect(database.ownJournal(() => {})).toBe(journalPath(url.slice('sqlite:'.length)))
  expect(database.ownJournal(() => {})).toBeNull()
  expect(sqliteOf(openDatabase('sqlite::memory:')).ownJournal(() => {})).toBeNull()
})
