import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mountSmallDisk } from '#server/testing/small-disk.ts'
import { type JournalFile, type JournalRows, openJournalFile, readJournal } from './journal-file.ts'

const statements = [{ sql: 'insert into things values (?, ?)', width: 2 }]
const rows = (...values: (string | number | null)[]): JournalRows[] => [[0, values]]

let path = ''
let journal: JournalFile

beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'switchyard-')), 'test.db.settlements')
  journal = openJournalFile(path, statements)
})
afterEach(() => journal.close())

const numbers = () => readJournal(path)?.records.map(({ number }) => number)

/** Where the last byte of the records is that are in the file. */
const endOfRecords = () => readFileSync(path).findLastIndex((byte) => byte !== 0)

function change(at: number): void {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

describe('a journal', () => {
  test('gives back its statements and its records as they were, in order', () => {
    journal.append(41, rows('Ünïcödé 😀 \u0000', 1.5))
    journal.append(42, [...rows(null, -7), ...rows('', 2 ** 52)])
    expect(readJournal(path)).toEqual({
      statements,
      records: [
        { number: 41, rows: [[0, ['Ünïcödé 😀 \u0000', 1.5]]] },
        {
          number: 42,
          rows: [
            [0, [null, -7]],
            [0, ['', 2 ** 52]],
          ],
        },
      ],
    })
  })

  test('is for its owner’s eyes, and as large from the beginning as it will ever be', () => {
    expect(statSync(path)).toMatchObject({ size: 1024 * 1024 })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    for (let number = 1; journal.append(number, rows('x'.repeat(1000), number)); number += 1);
    expect(statSync(path).size).toBe(1024 * 1024)
  })

  test('is none where there is no file, or one that was never finished', () => {
    expect(readJournal(`${path}.other`)).toBeNull()
    journal.append(1, rows('a', 1))
    change(20)
    expect(readJournal(path)).toBeNull()
    truncateSync(path, 100)
    expect(readJournal(path)).toBeNull()
    truncateSync(path, 0)
    expect(readJournal(path)).toBeNull()
  })

  test('ends before a record that was not written whole', () => {
    journal.append(1, rows('a', 1))
    const first = endOfRecords()
    journal.append(2, rows('b', 2))
    const end = endOfRecords()
    const bytes = readFileSync(path)
    for (let from = first + 1; from <= end; from += 1) {
      writeFileSync(path, Buffer.from(bytes).fill(0, from))
      expect(numbers()).toEqual([1])
      writeFileSync(path, bytes.subarray(0, from))
      expect(numbers()).toEqual([1])
    }
    writeFileSync(path, bytes.subarray(0, end + 1))
    expect(numbers()).toEqual([1, 2])
  })

  test('believes no record of which a single bit has changed', () => {
    journal.append(1, rows('a', 1))
    const second = endOfRecords() + 1
    journal.append(2, rows('b', 2))
    const end = endOfRecords()
    const first = second - (end + 1 - second)
    for (let at = first; at <= end; at += 1) {
      change(at)
      expect(numbers()).toEqual(at < second ? [] : [1])
      change(at)
    }
    expect(numbers()).toEqual([1, 2])
  })

  test('does not take old records behind new ones for their successors', () => {
    for (const number of [1, 2, 3]) journal.append(number, rows('same length', number))
    journal.clear()
    expect(numbers()).toEqual([1, 2, 3])
    journal.append(4, rows('same length', 4))
    expect(numbers()).toEqual([4])
    journal.append(5, rows('another length', 5))
    expect(numbers()).toEqual([4, 5])
  })

  test('takes no record that does not fit, and is as it was', () => {
    expect(journal.append(1, rows('x'.repeat(600_000), 1))).toBeTrue()
    expect(journal.append(2, rows('x'.repeat(600_000), 2))).toBeFalse()
    expect(numbers()).toEqual([1])
    expect(journal.append(2, rows('x', 2))).toBeTrue()
    journal.clear()
    expect(journal.append(3, rows('x'.repeat(600_000), 3))).toBeTrue()
    expect(numbers()).toEqual([3])
  })
})

const disk = mountSmallDisk(1)
afterAll(() => disk?.remove())

test.skipIf(disk === null)('a disk without room for a whole journal keeps the room it has', () => {
  const full = join(disk?.folder ?? '', 'test.db.settlements')
  writeFileSync(`${full}.other`, 'x')
  expect(() => openJournalFile(full, statements)).toThrow()
  expect(statSync(full).size).toBe(0)
})
