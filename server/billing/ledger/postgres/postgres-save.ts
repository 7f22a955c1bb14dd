import { type AccountKind, accountKinds } from '#server/billing/ledger/account.ts'
import { accountTables } from '#server/billing/ledger/account-tables.ts'
import type { Changes } from '#server/billing/ledger/decide.ts'
import { entryColumns, entryRow } from '#server/billing/ledger/entry-rows.ts'
import { noNode, rowOfHold } from '#server/billing/ledger/lasting-holds.ts'
import { logColumns } from '#server/db/logs/log-columns.ts'
import { usageColumns } from '#server/db/usage/cells.ts'
import type { Part } from './statement.ts'

/** What a commit writes to one table. */
interface TableWrite {
  readonly name: string
  readonly columns: Readonly<Record<string, 'bigint' | 'text'>>
  readonly statement: (names: string, source: string) => string
  rows(changes: Changes, nodeId: string): readonly object[]
}

/** Rows as one `unnest` of columns: the same text however large the batch. */
function partOf({ name, columns, statement }: TableWrite, rows: readonly object[]): Part {
  const names = Object.keys(columns)
  const list = names.map((column) => `"${column}"`).join(', ')
  const source = (first: number) =>
    `unnest(${names.map((column, at) => `$${first + at}::${columns[column]}[]`).join(', ')}) as source(${list})`
  return {
    name,
    text: (first) => statement(list, source(first)),
    values: names.map((column) => rows.map((row) => (row as Record<string, unknown>)[column])),
  }
}

const insertInto = (table: string) => (names: string, source: string) =>
  `insert into ${table} (${names}) select ${names} from ${source}`

const accountColumns = {
  id: 'bigint',
  balance: 'bigint',
  used: 'bigint',
  requests: 'bigint',
  accessed: 'bigint',
  budget_used: 'bigint',
  budget_held: 'bigint',
  budget_from: 'bigint',
  budget_to: 'bigint',
} as const

function accountWrite(kind: AccountKind): TableWrite {
  const { table, balance, requests, accessed } = accountTables[kind]
  const sets = [
    ...(balance ? [`${balance} = source.balance`] : []),
    'used_quota = source.used',
    ...(requests ? [`${requests} = source.requests`] : []),
    ...(accessed ? [`${accessed} = source.accessed`] : []),
    ...(['budget_used', 'budget_held', 'budget_from', 'budget_to'] as const).map((name) => `${name} = source.${name}`),
  ].join(', ')
  return {
    name: kind,
    columns: accountColumns,
    statement: (_, source) => `update ${table} set ${sets} from ${source} where ${table}.id = source.id`,
    rows: ({ accounts }) =>
      [...accounts[kind]].map(([id, account]) => ({
        id,
        balance: account.balance,
        used: account.usedQuota,
        requests: account.requestCount,
        accessed: account.accessedTime,
        budget_used: account.budgetUsed,
        budget_held: account.budgetHeld,
        budget_from: account.budgetFrom,
        budget_to: account.budgetTo,
      })),
  }
}

const unloggedColumns = Object.fromEntries(usageColumns.map((name) => [name, logColumns[name]]))

const writes: readonly TableWrite[] = [
  ...accountKinds.map(accountWrite),
  {
    name: 'channels',
    columns: { id: 'bigint', paid: 'bigint' },
    statement: (_, source) =>
      `update channels set used_quota = channels.used_quota + source.paid from ${source} where channels.id = source.id`,
    rows: ({ channels }) => [...channels].map(([id, paid]) => ({ id, paid })).sort((a, b) => a.id - b.id),
  },
  {
    name: 'holds',
    columns: {
      id: 'text',
      user_id: 'bigint',
      token_id: 'bigint',
      team_id: 'bigint',
      member_id: 'bigint',
      amount: 'bigint',
      token_amount: 'bigint',
      team_amount: 'bigint',
      budget_amount: 'bigint',
      node_id: 'text',
      created_at: 'bigint',
    },
    statement: insertInto('holds'),
    rows: ({ newHolds }, nodeId) =>
      newHolds.map((hold) => ({ ...rowOfHold(hold), node_id: hold.lasting ? noNode : nodeId })),
  },
  {
    name: 'entries',
    columns: entryColumns,
    statement: insertInto('ledger_entries'),
    rows: ({ entries }) => entries.map(entryRow),
  },
  { name: 'logs', columns: logColumns, statement: insertInto('logs'), rows: ({ logs }) => logs },
  {
    name: 'unlogged',
    columns: unloggedColumns,
    statement: insertInto('unlogged_usage'),
    rows: ({ unlogged }) => unlogged,
  },
]

/** What was decided, a part a table. */
export function writesOf(changes: Changes, nodeId: string): Part[] {
  const parts: Part[] = []
  for (const write of writes) {
    const rows = write.rows(changes, nodeId)
    if (rows.length > 0) parts.push(partOf(write, rows))
  }
  const { closedHolds } = changes
  if (closedHolds.length > 0) {
    parts.push({
      name: 'closed',
      text: (first) => `delete from holds where id = any($${first}::text[])`,
      values: [closedHolds],
    })
  }
  return parts
}
