import type { Database as Sqlite } from 'bun:sqlite'
import type { Journal, JournalRecord } from './journal-file.ts'

/** Where the journal of a database lies. */
export const journalPath = (file: string): string => `${file}.settlements`

const appliedKey = 'journal_applied'

/** The number of the last record that is in the tables, kept in the same transaction as what it says. */
export function appliedNumber(sqlite: Sqlite) {
  const read = sqlite.prepare<{ value: string }, [string]>('select value from meta where key = ?')
  const write = sqlite.prepare(
    'insert into meta (key, value) values (?1, ?2) on conflict (key) do update set value = ?2',
  )
  return {
    get(): number | undefined {
      const row = read.get(appliedKey)
      return row ? Number(row.value) : undefined
    },
    set: (number: number) => void write.run(appliedKey, String(number)),
  }
}

/**
 * Carries out what a journal has and the tables have not: the process that wrote it is gone, or has not come to it yet and will
 * notice. All of it or nothing: what cannot be carried out is worth a look before anybody goes on.
 */
export function replayJournal(sqlite: Sqlite, journal: Journal | null): void {
  if (!journal || !hasTables(sqlite) || dueRecords(sqlite, journal).length === 0) return
  try {
    sqlite.transaction(() => applyDue(sqlite, journal)).immediate()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`settlements that wait in the journal could not be written into the database: ${reason}`, { cause })
  }
}

function applyDue(sqlite: Sqlite, journal: Journal): void {
  const due = dueRecords(sqlite, journal)
  const prepared = journal.statements.map(({ sql, width }) => ({ statement: sqlite.prepare(sql), width }))
  for (const { rows } of due) runRows(prepared, rows)
  const last = due.at(-1)
  if (last) appliedNumber(sqlite).set(last.number)
}

const hasTables = (sqlite: Sqlite): boolean =>
  sqlite.query("select 1 from sqlite_master where type = 'table' and name = 'meta'").get() !== null

/** Records of another state of the database, such as a copy taken back, do not follow on what is there and are left. */
function dueRecords(sqlite: Sqlite, { records }: Journal): readonly JournalRecord[] {
  const applied = appliedNumber(sqlite).get()
  if (applied === undefined) return []
  const due = records.filter(({ number }) => number > applied)
  return due[0]?.number === applied + 1 ? due : []
}

function runRows(
  prepared: readonly { readonly statement: ReturnType<Sqlite['prepare']>; readonly width: number }[],
  rows: JournalRecord['rows'],
): void {
  for (const [at, values] of rows) {
    const use = prepared[at]
    if (!use) throw new Error('a record of the journal names a statement that is not in its head')
    for (let from = 0; from < values.length; from += use.width) {
      use.statement.run(...values.slice(from, from + use.width))
    }
  }
}
