import { Database as Sqlite } from 'bun:sqlite'
import { beforeEach, describe, expect, test } from 'bun:test'
import type { Journal, JournalRecord } from './journal-file.ts'
import { appliedNumber, replayJournal } from './replay-journal.ts'

const statements = [
  { sql: 'update accounts set quota = quota + ?1 where id = ?2', width: 2 },
  { sql: 'insert into entries (amount) values (?)', width: 1 },
]

let sqlite: Sqlite

beforeEach(() => {
  sqlite = new Sqlite(':memory:')
  sqlite.run('create table meta (key text primary key, value text not null)')
  sqlite.run('create table accounts (id integer primary key, quota integer not null)')
  sqlite.run('create table entries (id integer primary key, amount integer not null)')
  sqlite.run('insert into accounts values (1, 100), (2, 100)')
})

/** Takes from the first account, and writes down as many entries as it takes. */
const record = (number: number, amount: number): JournalRecord => ({
  number,
  rows: [
    [0, [-amount, 1]],
    [1, Array(amount).fill(-1)],
  ],
})

const journalOf = (...records: JournalRecord[]): Journal => ({ statements, records })

const books = () => ({
  quotas: sqlite
    .query<{ quota: number }, []>('select quota from accounts order by id')
    .all()
    .map((row) => row.quota),
  entries: sqlite.query<{ count: number }, []>('select count(*) as count from entries').get()?.count,
  applied: appliedNumber(sqlite).get(),
})

describe('what a journal has and the tables have not', () => {
  test('is written into them, with the number of the last record', () => {
    appliedNumber(sqlite).set(10)
    replayJournal(sqlite, journalOf(record(11, 2), record(12, 3)))
    expect(books()).toEqual({ quotas: [95, 100], entries: 5, applied: 12 })
  })

  test('is written once, however often it is found', () => {
    appliedNumber(sqlite).set(10)
    const journal = journalOf(record(11, 2), record(12, 3))
    replayJournal(sqlite, journal)
    replayJournal(sqlite, journal)
    replayJournal(sqlite, journalOf(record(11, 2), record(12, 3), record(13, 4)))
    expect(books()).toEqual({ quotas: [91, 100], entries: 9, applied: 13 })
  })

  test('is written from where the tables end', () => {
    appliedNumber(sqlite).set(11)
    replayJournal(sqlite, journalOf(record(10, 1), record(11, 2), record(12, 3)))
    expect(books()).toEqual({ quotas: [97, 100], entries: 3, applied: 12 })
  })

  test('is left where records are missing between, as of another state of the database', () => {
    appliedNumber(sqlite).set(9)
    replayJournal(sqlite, journalOf(record(11, 2), record(12, 3)))
    expect(books()).toEqual({ quotas: [100, 100], entries: 0, applied: 9 })
  })

  test('is left by a database that never had a journal', () => {
    replayJournal(sqlite, journalOf(record(1, 2)))
    expect(books()).toEqual({ quotas: [100, 100], entries: 0, applied: undefined })
  })

  test('is nothing without a journal, without records, or without tables', () => {
    appliedNumber(sqlite).set(10)
    replayJournal(sqlite, null)
    replayJournal(sqlite, journalOf())
    expect(books()).toEqual({ quotas: [100, 100], entries: 0, applied: 10 })
    const empty = new Sqlite(':memory:')
    replayJournal(empty, journalOf(record(11, 2)))
    expect(empty.query('select name from sqlite_master').all()).toEqual([])
  })

  test('is written whole or not at all, and what stands against it is named', () => {
    appliedNumber(sqlite).set(10)
    const unknown: JournalRecord = { number: 12, rows: [[2, [1]]] }
    expect(() => replayJournal(sqlite, journalOf(record(11, 2), unknown))).toThrow('not in its head')
    expect(books()).toEqual({ quotas: [100, 100], entries: 0, applied: 10 })
    sqlite.run('alter table entries rename column amount to sum')
    expect(() => replayJournal(sqlite, journalOf(record(11, 2)))).toThrow(/could not be written.*amount/)
    expect(books()).toEqual({ quotas: [100, 100], entries: 0, applied: 10 })
  })
})
