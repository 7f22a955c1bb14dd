import { type JournalFile, openJournalFile } from '#server/db/journal/journal-file.ts'
import type { FreshUsage } from '#server/db/usage/fresh-usage.ts'
import type { Changes } from '../decide.ts'
import { type Statements, save, withinTransaction } from './sqlite-statements.ts'
import { isStorable, journalRows, journalStatements, mergeWrites, type StoredWrites } from './stored-writes.ts'

/** Settlements are in the tables after this time at the latest, for other processes that read the file. */
const waitMs = 100
/** So many rows are written at once, which takes about two milliseconds. */
const mostRows = 300

/** What one commit writes, and what was decided. */
export interface Commit {
  readonly writes: StoredWrites
  readonly changes: Changes
}

/**
 * Commits that are in the journal of the file and not in its tables yet. Many go into the tables together, for a lone commit there
 * writes ten pages. Whoever uses the database has them written first: nobody in this process sees the tables without them.
 */
export interface JournaledWrites {
  /** Whether it is in the journal for good; what is not must be committed to the tables. */
  append(commit: Commit): boolean
  /** Writes what waits into the tables. Throws what the database says; then it waits on. */
  apply(use: Statements): void
  /** The tables lack something. */
  isWaiting(): boolean
  /** So much waits that it is time to apply it. */
  isFull(): boolean
  /** Nothing is appended any more. */
  close(): void
}

interface Journaled {
  /** Where the journal lies; null when there is none. */
  readonly path: string | null
  readonly fresh: FreshUsage
  /** It is time to apply what waits. */
  due(): void
  /** Another process has applied a record of the journal that this one took for not written. */
  found(changes: Changes): void
  /** The version of the file when something was applied. */
  seen(version: number): void
  /** There is no file for it, now and until this process ends. Called once. */
  unavailable(cause: unknown): void
}

interface Written {
  /** How many of the records another process has applied meanwhile. */
  readonly byOthers: number
  /** The number of the last record that is in the tables. */
  readonly last: number
  readonly lastLog: number
  readonly version: number
}

/** Every process begins to count at a random number, so that the journal of another copy of the database is not taken for its own. */
const anyNumber = (): number => Math.floor(Math.random() * 2 ** 50)

export function createJournaledWrites(
  { path, fresh, due, found, seen, unavailable }: Journaled,
  open: typeof openJournalFile = openJournalFile,
): JournaledWrites {
  let file: JournalFile | null = null
  let waiting: Commit[] = []
  let rows = 0
  /** The number of the last record; null until the tables hold the number at which this process begins. */
  let number: number | null = null
  /** A record whose write failed but which may be on the disk. */
  let doubtful: Commit | null = null
  /** Nothing is appended after a doubtful record or one the tables refuse. */
  let isBroken = false
  /** Nothing is appended any more: there is no file for it, or no time. */
  let isOff = false

  const applyLater = repeated(waitMs, () => {
    if (isOff) return false
    due()
    return waiting.length > 0
  })

  /** Within a transaction. */
  const write = (use: Statements): Written => {
    const version = use.version.get()?.data_version ?? 0
    let byOthers = 0
    let last: number
    if (number === null) last = anyNumber()
    else {
      const before = number - waiting.length
      const applied = use.applied.get() ?? before
      byOthers = Math.max(0, applied - before)
      save(use, mergeWrites(waiting.slice(byOthers).map(({ writes }) => writes)))
      // Skips the number of a record that may be on the disk.
      last = Math.max(applied, number) + (isBroken ? 1 : 0)
    }
    use.applied.set(last)
    return { byOthers, last, lastLog: use.lastLog.get()?.id ?? 0, version }
  }

  /** All that waited is in the tables. */
  const done = ({ byOthers, last, lastLog, version }: Written) => {
    const logs = waiting.flatMap(({ changes }) => changes.logs)
    if (byOthers > 0) fresh.forget()
    else fresh.add(logs, lastLog, version)
    if (doubtful && byOthers > waiting.length) found(doubtful.changes)
    seen(version)
    number = last
    waiting = []
    rows = 0
    doubtful = null
    isBroken = false
    file?.clear()
  }

  return {
    append(commit) {
      if (path === null || number === null || isBroken || isOff || rows >= mostRows) return false
      const record = journalRows(commit.writes)
      if (!isStorable(record)) return false
      try {
        file ??= open(path, journalStatements)
      } catch (cause) {
        isOff = true
        unavailable(cause)
        return false
      }
      try {
        if (!file.append(number + 1, record)) return false
      } catch {
        doubtful = commit
        isBroken = true
        return false
      }
      number += 1
      waiting.push(commit)
      rows += commit.changes.logs.length + 1
      applyLater()
      return true
    },
    apply(use) {
      if (path === null || (waiting.length === 0 && number !== null && !isBroken)) return
      let written: Written
      try {
        written = withinTransaction(use, () => write(use))
      } catch (error) {
        isBroken = true
        throw error
      }
      done(written)
    },
    isWaiting: () => waiting.length > 0,
    isFull: () => rows >= mostRows,
    close() {
      isOff = true
      file?.close()
    },
  }
}

/** Returns what begins it: work after a while, and again while it says that there is more. Keeps no process alive. */
function repeated(everyMs: number, work: () => boolean): () => void {
  let isBegun = false
  const begin = () => {
    if (isBegun) return
    isBegun = true
    setTimeout(() => {
      isBegun = false
      if (work()) begin()
    }, everyMs).unref()
  }
  return begin
}
