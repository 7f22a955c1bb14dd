import type { JournalRows, JournalStatement, JournalValue } from '#server/db/journal/journal-file.ts'
import { type LogColumn, logColumnNames } from '#server/db/logs/log-columns.ts'
import { usageColumns } from '#server/db/usage/cells.ts'
import { type AccountKind, type AccountsById, accountKinds, byKind, countsIn, idOf } from '../account.ts'
import { accountTables } from '../account-tables.ts'
import type { Changes, NewHold } from '../decide.ts'
import { type EntryColumn, entryColumns, entryRow } from '../entry-rows.ts'

/** What a commit changes of one account, as differences but for what a new period begins with. */
export interface AccountChange {
  readonly kind: AccountKind
  readonly id: number
  used: number
  balance: number
  requests: number
  accessed: number
  readonly budgetFrom: number
  readonly budgetTo: number
  budgetUsedBy: number
  budgetUsed: number
  budgetHeldBy: number
}

/** What a commit writes, but for holds that last. Differences, so that what is stored never depends on what was remembered. */
export interface StoredWrites {
  readonly accounts: readonly AccountChange[]
  /** What was paid through a channel. */
  readonly channels: ReadonlyMap<number, number>
  readonly entries: Rows
  readonly logs: Rows
  readonly unlogged: Rows
}

/** Rows by the commit they are of, the values of each commit one after the other. */
export type Rows = readonly (readonly JournalValue[])[]

const insertInto = (table: string, columns: readonly string[]) => (rows: number) => {
  const row = `(${columns.map(() => '?').join(', ')})`
  return `insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')}) values ${Array(rows).fill(row).join(', ')}`
}

const entryNames = Object.keys(entryColumns) as EntryColumn[]

/** Inserts of so many rows. */
export const insertSql = {
  entries: { sql: insertInto('ledger_entries', entryNames), width: entryNames.length },
  logs: { sql: insertInto('logs', logColumnNames), width: logColumnNames.length },
  unlogged: { sql: insertInto('unlogged_usage', usageColumns), width: usageColumns.length },
} as const
const insertNames = ['entries', 'logs', 'unlogged'] as const

/** Differences, but for a period that is not the one stored. */
export function accountSql(kind: AccountKind): string {
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

export const accountValues = (change: AccountChange): number[] => [
  change.id,
  change.used,
  change.balance,
  change.requests,
  change.accessed,
  change.budgetFrom,
  change.budgetTo,
  change.budgetUsedBy,
  change.budgetUsed,
  change.budgetHeldBy,
]

export const channelSql = 'update channels set used_quota = used_quota + ?1 where id = ?2'

/** What is in a journal: accounts, channels, rows. */
export const journalStatements: readonly JournalStatement[] = [
  ...accountKinds.map((kind) => ({ sql: accountSql(kind), width: 10 })),
  { sql: channelSql, width: 2 },
  ...insertNames.map((name) => ({ sql: insertSql[name].sql(1), width: insertSql[name].width })),
]

export function journalRows({ accounts, channels, ...rows }: StoredWrites): JournalRows[] {
  const all: JournalRows[] = accounts.map((change) => [accountKinds.indexOf(change.kind), accountValues(change)])
  for (const [id, paid] of channels) all.push([accountKinds.length, [paid, id]])
  for (const [at, name] of insertNames.entries())
    for (const values of rows[name]) if (values.length > 0) all.push([accountKinds.length + 1 + at, values])
  return all
}

/** Of every statement, where in its rows something may be missing: what a request costs is not always known. */
const mayLack = [
  ...accountKinds.map(() => -1),
  -1,
  ...[entryNames, logColumnNames, usageColumns].map((names: readonly string[]) => names.indexOf('cost')),
]

/** Whether the tables surely take it: what they would refuse must not be kept for them. */
export function isStorable(rows: readonly JournalRows[]): boolean {
  for (const [statement, values] of rows) {
    const width = journalStatements[statement]?.width ?? 1
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at]
      if (typeof value === 'string' || Number.isFinite(value)) continue
      if (value !== null || at % width !== mayLack[statement]) return false
    }
  }
  return true
}

/** What was decided, as it is written. `closed` are holds that were in the file. */
export function storedWrites(changes: Changes, known: AccountsById, closed: readonly NewHold[]): StoredWrites {
  return {
    accounts: accountChanges(changes, known, closed),
    channels: changes.channels,
    entries: [valuesOf<EntryColumn>(changes.entries.map(entryRow), entryNames)],
    logs: [valuesOf<LogColumn>(changes.logs, logColumnNames)],
    unlogged: [valuesOf(changes.unlogged, usageColumns)],
  }
}

function valuesOf<Name extends string>(
  rows: readonly Readonly<Record<Name, JournalValue>>[],
  columns: readonly Name[],
): JournalValue[] {
  const values: JournalValue[] = []
  for (const row of rows) for (const name of columns) values.push(row[name])
  return values
}

function accountChanges(changes: Changes, known: AccountsById, closed: readonly NewHold[]): AccountChange[] {
  const { sums, budgets } = storedChanges(changes, closed)
  const changed: AccountChange[] = []
  for (const kind of accountKinds) {
    for (const [id, account] of changes.accounts[kind]) {
      const before = known[kind].get(id)
      changed.push({
        kind,
        id,
        used: account.usedQuota - (before?.usedQuota ?? 0),
        balance: sums[kind].get(id) ?? 0,
        requests: account.requestCount - (before?.requestCount ?? 0),
        accessed: account.accessedTime,
        budgetFrom: account.budgetFrom,
        budgetTo: account.budgetTo,
        budgetUsedBy: account.budgetUsed - (before?.budgetFrom === account.budgetFrom ? before.budgetUsed : 0),
        budgetUsed: account.budgetUsed,
        budgetHeldBy: budgets[kind].get(id) ?? 0,
      })
    }
  }
  return changed
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

/** Several commits as one: what they change of an account within one period is added up. */
export function mergeWrites(commits: readonly StoredWrites[]): StoredWrites {
  const [first] = commits
  if (commits.length === 1 && first) return first
  const accounts = new Map<string, AccountChange>()
  const channels = new Map<number, number>()
  for (const commit of commits) {
    for (const change of commit.accounts) addChange(accounts, change)
    for (const [id, paid] of commit.channels) channels.set(id, (channels.get(id) ?? 0) + paid)
  }
  return {
    accounts: [...accounts.values()],
    channels,
    entries: commits.flatMap(({ entries }) => entries),
    logs: commits.flatMap(({ logs }) => logs),
    unlogged: commits.flatMap(({ unlogged }) => unlogged),
  }
}

function addChange(accounts: Map<string, AccountChange>, more: AccountChange): void {
  const key = `${more.kind} ${more.id} ${more.budgetFrom}`
  const change = accounts.get(key)
  if (!change) {
    accounts.set(key, { ...more })
    return
  }
  change.used += more.used
  change.balance += more.balance
  change.requests += more.requests
  change.accessed = more.accessed
  change.budgetUsedBy += more.budgetUsedBy
  change.budgetUsed = more.budgetUsed
  change.budgetHeldBy += more.budgetHeldBy
}
