import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** A statement of which rows are kept, and how many values a row has. */
export interface JournalStatement {
  readonly sql: string
  readonly width: number
}

export type JournalValue = string | number | null

/** The rows of one statement, by its place in the list, their values one after the other. */
export type JournalRows = readonly [statement: number, values: readonly JournalValue[]]

export interface JournalRecord {
  readonly number: number
  readonly rows: readonly JournalRows[]
}

/**
 * A file of fixed size in front of a database: what a commit writes is there for good with one write, and goes into the tables
 * later, together with more. The file begins with the statements, so that any process can replay it.
 */
export interface JournalFile {
  /** Writes a record for good; false when it does not fit behind the others. Throws what the disk says. */
  append(number: number, rows: readonly JournalRows[]): boolean
  /** The tables have everything: the next record is the first. */
  clear(): void
  close(): void
}

const headBytes = 8192
const fileBytes = 1024 * 1024
/** The file is filled in pieces of this size: the system caches what is written at once as one unit, and large ones slow down records. */
const pieceBytes = 16 * 1024
/** Of a record: its number, the length of its text and the checksum of both. */
const prefixBytes = 16
const textPrefixBytes = 8

const checksum = (bytes: Uint8Array): number => Bun.hash.crc32(bytes)

export function openJournalFile(path: string, statements: readonly JournalStatement[]): JournalFile {
  const file = create(path, statements)
  /** Records are put together here, each over the last: memory of this size is not asked for again and again. */
  const bytes = Buffer.alloc(fileBytes - headBytes)
  let end = headBytes
  return {
    append(number, rows) {
      const record = encode(bytes, number, JSON.stringify(rows))
      if (!record || end + record.length > fileBytes) return false
      writeWhole(file, record, end)
      fdatasyncSync(file)
      end += record.length
      return true
    },
    clear() {
      end = headBytes
    },
    close: () => closeSync(file),
  }
}

/** Of full size from the beginning: a write that changes no size needs no second one for it. */
function create(path: string, statements: readonly JournalStatement[]): number {
  const head = Buffer.from(JSON.stringify(statements))
  const whole = Buffer.alloc(fileBytes)
  if (textPrefixBytes + head.length > headBytes) throw new Error('the statements of a journal do not fit into its head')
  whole.writeUInt32LE(head.length, 0)
  whole.writeUInt32LE(checksum(head), 4)
  head.copy(whole, textPrefixBytes)
  const file = openSync(path, 'w', 0o600)
  try {
    for (let at = 0; at < fileBytes; at += pieceBytes) writeWhole(file, whole.subarray(at, at + pieceBytes), at)
    fsyncSync(file)
    syncFolder(dirname(path))
  } catch (error) {
    // The remaining space of a full disk is left to the database.
    ftruncateSync(file)
    closeSync(file)
    throw error
  }
  return file
}

/** A nearly full disk may write only a part. */
function writeWhole(file: number, bytes: Uint8Array, at: number): void {
  const written = writeSync(file, bytes, 0, bytes.length, at)
  if (written < bytes.length) throw new Error(`the disk took ${written} of ${bytes.length} bytes of a journal`)
}

/** The folder is synced too, so that the file's name survives a power failure. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Null when there is no room for it. */
function encode(bytes: Buffer, number: number, text: string): Buffer | null {
  const length = prefixBytes + Buffer.byteLength(text)
  if (length > bytes.length) return null
  const record = bytes.subarray(0, length)
  record.writeDoubleLE(number, 0)
  record.writeUInt32LE(length - prefixBytes, 8)
  record.write(text, prefixBytes)
  record.writeUInt32LE(recordSum(record), 12)
  return record
}

const recordSum = (record: Uint8Array): number =>
  (checksum(record.subarray(prefixBytes)) ^ checksum(record.subarray(0, prefixBytes - 4))) >>> 0

export interface Journal {
  readonly statements: readonly JournalStatement[]
  /** One number after the other. */
  readonly records: readonly JournalRecord[]
}

/** What a journal says, up to the first record that is not whole or not the next; null when there is none. */
export function readJournal(path: string): Journal | null {
  if (!existsSync(path)) return null
  const bytes = readFileSync(path)
  if (bytes.length < headBytes) return null
  const head = bytes.subarray(textPrefixBytes, textPrefixBytes + Math.min(bytes.readUInt32LE(0), headBytes))
  if (head.length === 0 || checksum(head) !== bytes.readUInt32LE(4)) return null
  const records: JournalRecord[] = []
  for (let at = headBytes; ; ) {
    const found = recordAt(bytes, at)
    const last = records.at(-1)
    if (!found || (last && found.record.number !== last.number + 1)) break
    records.push(found.record)
    at = found.end
  }
  return { statements: JSON.parse(head.toString()) as JournalStatement[], records }
}

function recordAt(bytes: Buffer, at: number): { readonly record: JournalRecord; readonly end: number } | null {
  if (at + prefixBytes > bytes.length) return null
  const end = at + prefixBytes + bytes.readUInt32LE(at + 8)
  if (end === at + prefixBytes || end > bytes.length) return null
  const record = bytes.subarray(at, end)
  if (recordSum(record) !== record.readUInt32LE(12)) return null
  const rows = JSON.parse(record.toString('utf8', prefixBytes)) as JournalRows[]
  return { record: { number: record.readDoubleLE(0), rows }, end }
}
