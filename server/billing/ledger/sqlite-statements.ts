import type { Database as Sqlite } from 'bun:sqlite'
import { logColumnNames } from '#server/db/logs/log-columns.ts'
import { usageColumns } from '#server/db/usage/cells.ts'
import { type AccountKind, type AccountsById, accountKinds, byKind, countsIn, idOf } from './account.ts'
import { type AccountRow, accountOf, accountTables, selectAccounts } from './account-tables.ts'
import type { Changes, NewHold } from './decide.ts'
import { type EntryColumn, entryColumns, entryRow } from './entry-rows.ts'
import { holdOfRow, type LastingRow, lastingColumns, noNode, rowOfHold } from './lasting-holds.ts'
import type { Stored } from './sqlite-accounts.ts'

export type Statements = ReturnType<typeof prepareStatements>

/** What the ledger says to its file, prepared once. */
export function prepareStatements(sqlite: Sqlite) {
  const rollback = sqlite.prepare('rollback')
  return {
    begin: sqlite.prepare('begin immediate'),
    commit: sqlite.prepare('commit'),
    /** Never throws: whoever gives up has an error worth more. A full or failing disk has ended the transaction already. */
    giveUp() {
      try {
        if (sqlite.inTransaction) rollback.run()
      } catch {}
    },
    /** Changes when another process has written. */
    version: sqlite.prepare<{ data_version: number }, []>('pragma data_version'),
    account: byKind((kind) => sqlite.prepare<AccountRow, [number]>(`${selectAccounts(kind)} where id = ?`)),
    charge: byKind((kind) => sqlite.prepare(chargeAccount(kind))),
    chargeChannel: sqlite.prepare('update channels set used_quota = used_quota + ? where id = ?'),
    insertEntries: insertRows(sqlite, 'ledger_entries', Object.keys(entryColumns) as EntryColumn[]),
    lastingHold: sqlite.prepare<LastingRow, [string]>(`select ${lastingColumns.join(', ')} from holds where id = ?`),
    insertHold: sqlite.prepare(insertInto('holds', [...lastingColumns, 'node_id'])),
    closeHold: sqlite.prepare('delete from holds where id = ?'),
    insertLogs: insertRows(sqlite, 'logs', logColumnNames),
    lastLog: sqlite.prepare<{ id: number }, []>('select max(id) as id from logs'),
    insertUnlogged: insertRows(sqlite, 'unlogged_usage', usageColumns),
  }
}

const insertInto = (table: string, columns: readonly string[], rows = 1): string => {
  const row = `(${columns.map(() => '?').join(', ')})`
  return `insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')}) values ${Array(rows).fill(row).join(', ')}`
}

/** Rows that share a statement share what it costs to run one. */
const rowsAtOnce = 8

/** Inserts rows, each an object that has the columns among its fields. */
function insertRows<Name extends string>(sqlite: Sqlite, table: string, columns: readonly Name[]) {
  const several = sqlite.prepare(insertInto(table, columns, rowsAtOnce))
  const one = sqlite.prepare(insertInto(table, columns))
  return (rows: readonly Readonly<Record<Name, string | number | null>>[]): void => {
    const whole = rows.length - (rows.length % rowsAtOnce)
    let values: (string | number | null)[] = []
    for (const [at, row] of rows.entries()) {
      for (const name of columns) values.push(row[name])
      if (at < whole && at % rowsAtOnce < rowsAtOnce - 1) continue
      const insert = at < whole ? several : one
      insert.run(...values)
      values = []
    }
  }
}

/** Differences, but for a period that is not the one stored. */
function chargeAccount(kind: AccountKind): string {
  const { table, balance, requests, accessed } = accountTables[kind]
  const sets = [
    'used_quota = used_quota + ?2',
    ...(balance ? [`${balance} = ${balance} + ?3`] : []),
    ...(requests ? [`${requests} = ${requests} + ?4`] : []),
    ...(accessed ? [`${accessed} = ?5`] : []),
    'budget_used = case when budget_from = ?6 then budget_used + ?8 else ?9 end',
    'budget_held = case when budget_from = ?6 then budget_held + ?10 else max(0, ?10) end',
    'budget_from = ?6',
    'budget_to = ?7',
  ]
  return `update ${table} set ${sets.join(', ')} where id = ?1`
}

export const storedAccounts =
  (use: Statements): Stored =>
  (kind, id) => {
    const row = use.account[kind].get(id)
    return row ? accountOf(row) : undefined
  }

/** A hold that is in the file because it outlives the process; undefined when there is none. */
export function storedHold(use: Statements, id: string): NewHold | undefined {
  const row = use.lastingHold.get(id)
  return row ? holdOfRow(row) : undefined
}

/** What a commit changes stored balances by, and what is held of budgets: its entries, and holds that are in the file. */
function storedChanges({ entries, newHolds, accounts }: Changes, closed: readonly NewHold[]) {
  const sums = byKind(() => new Map<number, number>())
  const budgets = byKind(() => new Map<number, number>())
  const add = (to: typeof sums, kind: AccountKind, id: number, amount: number) =>
    to[kind].set(id, (to[kind].get(id) ?? 0) + amount)
  for (const entry of entries) {
    add(sums, 'user', entry.userId, entry.amount)
    add(sums, 'token', entry.tokenId, entry.tokenAmount)
    if (entry.teamId > 0) add(sums, 'team', entry.teamId, entry.teamAmount)
  }
  const move = (hold: NewHold, sign: 1 | -1) => {
    add(sums, 'user', hold.userId, sign * hold.amount)
    add(sums, 'token', hold.tokenId, sign * hold.tokenAmount)
    if (hold.teamId > 0) add(sums, 'team', hold.teamId, sign * hold.teamAmount)
    for (const kind of accountKinds) {
      const account = accounts[kind].get(idOf[kind](hold))
      if (account && countsIn(account, hold.at)) add(budgets, kind, idOf[kind](hold), -sign * hold.budgetAmount)
    }
  }
  for (const hold of newHolds) move(hold, -1)
  for (const hold of closed) move(hold, 1)
  return { sums, budgets }
}

/** Writes what was decided as differences, so that what is stored never depends on what was remembered. */
export function save(use: Statements, changes: Changes, known: AccountsById, closed: readonly NewHold[]): void {
  const { sums: balances, budgets } = storedChanges(changes, closed)
  for (const kind of accountKinds) {
    for (const [id, account] of changes.accounts[kind]) {
      const before = known[kind].get(id)
      use.charge[kind].run(
        id,
        account.usedQuota - (before?.usedQuota ?? 0),
        balances[kind].get(id) ?? 0,
        account.requestCount - (before?.requestCount ?? 0),
        account.accessedTime,
        account.budgetFrom,
        account.budgetTo,
        account.budgetUsed - (before?.budgetFrom === account.budgetFrom ? before.budgetUsed : 0),
        account.budgetUsed,
        budgets[kind].get(id) ?? 0,
      )
    }
  }
  for (const hold of changes.newHolds) {
    const row = rowOfHold(hold)
    use.insertHold.run(...lastingColumns.map((name) => row[name]), noNode)
  }
  for (const { id } of closed) use.closeHold.run(id)
  for (const [id, paid] of changes.channels) use.chargeChannel.run(paid, id)
  use.insertEntries(changes.entries.map(entryRow))
  use.insertLogs(changes.logs)
  use.insertUnlogged(changes.unlogged)
}
