import type { Database as Sqlite } from 'bun:sqlite'
import type { Recalled } from '#server/billing/limits/memory-limits.ts'
import type { JournalValue } from '#server/db/journal/journal-file.ts'
import { appliedNumber } from '#server/db/journal/replay-journal.ts'
import { logType } from '#shared/statuses.ts'
import { byKind } from '../account.ts'
import { type AccountRow, accountOf, selectAccounts } from '../account-tables.ts'
import type { NewHold } from '../decide.ts'
import { holdOfRow, type LastingRow, lastingColumns, noNode, rowOfHold } from '../lasting-holds.ts'
import type { ReadAccount } from './sqlite-accounts.ts'
import { accountSql, accountValues, channelSql, insertSql, type Rows, type StoredWrites } from './stored-writes.ts'

/**
 * Requests that count by limits after a start, by the rows they left: not before they were admitted, as times of rows are whole
 * seconds. What is older by the clock is forgotten when it is looked at. Refused requests have no channel, and do not count.
 */
const lastMinute = ['logs', 'unlogged_usage']
  .map(
    (table) => `select (created_at + 1) * 1000 - duration_ms as at, prompt_tokens + completion_tokens as tokens,
      token_id as token, user_id as user, channel
    from ${table} where ${table === 'logs' ? `type = ${logType.consumption} and ` : ''}
      created_at >= (select max(created_at) from ${table}) - 60
      and not (outcome = 'failed' and channel = 0)`,
  )
  .join(' union all ')
  .concat(' order by at')

export type Statements = ReturnType<typeof prepareStatements>

/** What the ledger says to its file, prepared once. */
export function prepareStatements(sqlite: Sqlite) {
  const rollback = sqlite.prepare('rollback')
  const holdColumns = [...lastingColumns, 'node_id']
  return {
    begin: sqlite.prepare('begin immediate'),
    commit: sqlite.prepare('commit'),
    /** Never throws: the error that led here matters more. A full or failing disk has ended the transaction already. */
    giveUp() {
      try {
        if (sqlite.inTransaction) rollback.run()
      } catch {}
    },
    /** Changes when another process has written. */
    version: sqlite.prepare<{ data_version: number }, []>('pragma data_version'),
    account: byKind((kind) => sqlite.prepare<AccountRow, [number]>(`${selectAccounts(kind)} where id = ?`)),
    changeAccount: byKind((kind) => sqlite.prepare(accountSql(kind))),
    changeChannel: sqlite.prepare(channelSql),
    lastingHold: sqlite.prepare<LastingRow, [string]>(`select ${lastingColumns.join(', ')} from holds where id = ?`),
    insertHold: sqlite.prepare(
      `insert into holds (${holdColumns.join(', ')}) values (${holdColumns.map(() => '?').join(', ')})`,
    ),
    closeHold: sqlite.prepare('delete from holds where id = ?'),
    insertEntries: insertRows(sqlite, insertSql.entries),
    insertLogs: insertRows(sqlite, insertSql.logs),
    insertUnlogged: insertRows(sqlite, insertSql.unlogged),
    lastMinute: sqlite.prepare<Recalled, []>(lastMinute),
    lastLog: sqlite.prepare<{ id: number }, []>('select max(id) as id from logs'),
    applied: appliedNumber(sqlite),
  }
}

/** All that the work writes, or nothing. */
export function withinTransaction<Result>(use: Statements, work: () => Result): Result {
  use.begin.run()
  try {
    const result = work()
    use.commit.run()
    return result
  } catch (error) {
    use.giveUp()
    throw error
  }
}

/** Rows that share a statement share what it costs to run one. */
const rowsAtOnce = 8

function insertRows(sqlite: Sqlite, { sql, width }: { sql: (rows: number) => string; width: number }) {
  const several = sqlite.prepare(sql(rowsAtOnce))
  const one = sqlite.prepare(sql(1))
  return (rows: Rows): void => {
    let next: JournalValue[] = []
    for (const values of rows) {
      for (const value of values) {
        next.push(value)
        if (next.length < width * rowsAtOnce) continue
        several.run(...next)
        next = []
      }
    }
    for (let at = 0; at < next.length; at += width) one.run(...next.slice(at, at + width))
  }
}

export const storedAccounts =
  (use: Statements): ReadAccount =>
  (kind, id) => {
    const row = use.account[kind].get(id)
    return row ? accountOf(row) : undefined
  }

/** A hold that is in the file because it outlives the process; undefined when there is none. */
export function storedHold(use: Statements, id: string): NewHold | undefined {
  const row = use.lastingHold.get(id)
  return row ? holdOfRow(row) : undefined
}

/** Within a transaction. */
export function save(use: Statements, { accounts, channels, entries, logs, unlogged }: StoredWrites): void {
  for (const change of accounts) use.changeAccount[change.kind].run(...accountValues(change))
  for (const [id, paid] of channels) use.changeChannel.run(paid, id)
  use.insertEntries(entries)
  use.insertLogs(logs)
  use.insertUnlogged(unlogged)
}

export function saveHolds(use: Statements, opened: readonly NewHold[], closed: readonly NewHold[]): void {
  for (const hold of opened) {
    const row = rowOfHold(hold)
    use.insertHold.run(...lastingColumns.map((name) => row[name]), noNode)
  }
  for (const { id } of closed) use.closeHold.run(id)
}
