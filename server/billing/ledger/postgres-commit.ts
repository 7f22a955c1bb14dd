import type pg from 'pg'
import type { PostgresDatabase } from '#server/db/database.ts'
import { logColumns } from '#server/db/log-columns.ts'
import {
  type Changes,
  type Decision,
  decide,
  type Hold,
  type Known,
  type LedgerTask,
  type TokenBalance,
  type UserBalance,
} from './decide.ts'

type Ask = (text: string, values?: unknown[]) => Promise<pg.QueryResult>

/** Commits a batch in one transaction: rows locked in order of id, then one statement a table. */
export function postgresCommit(
  database: PostgresDatabase,
  nodeId: string,
): (operations: readonly LedgerTask[]) => Promise<Decision> {
  return async (operations) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await commitOnce(database, nodeId, operations)
      } catch (error) {
        if (tries === triesMax || !isInTheWay(error)) throw error
      }
    }
  }
}

const triesMax = 5

/** Two transactions waited for each other and this one had to give way: nothing of it has happened. */
const isInTheWay = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001')

async function commitOnce(
  database: PostgresDatabase,
  nodeId: string,
  operations: readonly LedgerTask[],
): Promise<Decision> {
  const client = await database.pool.connect()
  const ask: Ask = (text, values) => {
    const question = { text, values, query_timeout: database.patience?.shortMs }
    return client.query(question)
  }
  let broken: Error | undefined
  try {
    await ask('begin')
    const decision = decide(operations, await load(ask, operations))
    await save(ask, decision.changes, nodeId)
    await ask('commit')
    return decision
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    await ask('rollback').then(
      () => {
        broken = undefined
      },
      () => {},
    )
    throw error
  } finally {
    client.release(broken)
  }
}

const distinct = <Value>(values: Value[]): Value[] => [...new Set(values)]

async function load(ask: Ask, operations: readonly LedgerTask[]): Promise<Known> {
  const parties = operations.map((operation) =>
    operation.type === 'reserve' ? operation.request : operation.settlement,
  )
  const settling = operations.flatMap((operation) => (operation.type === 'settle' ? [operation.settlement.id] : []))
  const users = await ask(
    'select id, quota, used_quota, request_count from users where id = any($1) order by id for update',
    [distinct(parties.map(({ userId }) => userId))],
  )
  const tokens = await ask(
    'select id, remain_quota, unlimited_quota, used_quota, accessed_time from tokens where id = any($1) order by id for update',
    [distinct(parties.map(({ tokenId }) => tokenId))],
  )
  const holds = await ask('select id, amount, token_amount from holds where id = any($1) for update', [settling])
  const openHolds = new Map<string, Hold>(
    holds.rows.map((row) => [row.id, { amount: row.amount, tokenAmount: row.token_amount }]),
  )
  return {
    users: new Map<number, UserBalance>(
      users.rows.map((row) => [
        row.id,
        { quota: row.quota, usedQuota: row.used_quota, requestCount: row.request_count },
      ]),
    ),
    tokens: new Map<number, TokenBalance>(
      tokens.rows.map((row) => [
        row.id,
        {
          remain: row.remain_quota,
          unlimited: row.unlimited_quota === 1,
          usedQuota: row.used_quota,
          accessedTime: row.accessed_time,
        },
      ]),
    ),
    holds: openHolds,
    settled: await settledBefore(
      ask,
      settling.filter((id) => !openHolds.has(id)),
    ),
  }
}

async function settledBefore(ask: Ask, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await ask('select ref from ledger_entries where ref = any($1)', [ids])
  return new Set(rows.map((row) => row.ref))
}

/** Rows as one `unnest` of columns: a statement a table, however large the batch. */
async function writeRows(
  ask: Ask,
  rows: readonly object[],
  { columns, statement }: Pick<TableWrite, 'columns' | 'statement'>,
): Promise<void> {
  if (rows.length === 0) return
  const names = Object.keys(columns)
  const values = names.map((name) => rows.map((row) => (row as Record<string, unknown>)[name]))
  const list = names.map((name) => `"${name}"`).join(', ')
  const source = `unnest(${names.map((name, at) => `$${at + 1}::${columns[name]}[]`).join(', ')}) as source(${list})`
  await ask(statement(list, source), values)
}

const insertInto = (table: string) => (names: string, source: string) =>
  `insert into ${table} (${names}) select ${names} from ${source}`

/** What a commit writes to one table. */
interface TableWrite {
  readonly columns: Readonly<Record<string, 'bigint' | 'text'>>
  readonly statement: (names: string, source: string) => string
  rows(changes: Changes, nodeId: string): readonly object[]
}

const writes: readonly TableWrite[] = [
  {
    columns: { id: 'bigint', quota: 'bigint', used: 'bigint', requests: 'bigint' },
    statement: (_, source) =>
      `update users set quota = source.quota, used_quota = source.used, request_count = source.requests from ${source} where users.id = source.id`,
    rows: ({ users }) =>
      [...users].map(([id, row]) => ({ id, quota: row.quota, used: row.usedQuota, requests: row.requestCount })),
  },
  {
    columns: { id: 'bigint', remain: 'bigint', used: 'bigint', accessed: 'bigint' },
    statement: (_, source) =>
      `update tokens set remain_quota = source.remain, used_quota = source.used, accessed_time = source.accessed from ${source} where tokens.id = source.id`,
    rows: ({ tokens }) =>
      [...tokens].map(([id, row]) => ({ id, remain: row.remain, used: row.usedQuota, accessed: row.accessedTime })),
  },
  {
    columns: { id: 'bigint', paid: 'bigint' },
    statement: (_, source) =>
      `update channels set used_quota = channels.used_quota + source.paid from ${source} where channels.id = source.id`,
    rows: ({ channels }) => [...channels].map(([id, paid]) => ({ id, paid })).sort((a, b) => a.id - b.id),
  },
  {
    columns: {
      id: 'text',
      user_id: 'bigint',
      token_id: 'bigint',
      amount: 'bigint',
      token_amount: 'bigint',
      node_id: 'text',
      created_at: 'bigint',
    },
    statement: insertInto('holds'),
    rows: ({ newHolds }, nodeId) =>
      newHolds.map((hold) => ({
        id: hold.id,
        user_id: hold.userId,
        token_id: hold.tokenId,
        amount: hold.amount,
        token_amount: hold.tokenAmount,
        node_id: nodeId,
        created_at: hold.at,
      })),
  },
  {
    columns: {
      user_id: 'bigint',
      token_id: 'bigint',
      kind: 'text',
      amount: 'bigint',
      token_amount: 'bigint',
      ref: 'text',
      created_at: 'bigint',
    },
    statement: insertInto('ledger_entries'),
    rows: ({ entries }) =>
      entries.map((entry) => ({
        user_id: entry.userId,
        token_id: entry.tokenId,
        kind: 'settle',
        amount: entry.amount,
        token_amount: entry.tokenAmount,
        ref: entry.ref,
        created_at: entry.at,
      })),
  },
  { columns: logColumns, statement: insertInto('logs'), rows: ({ logs }) => logs },
]

async function save(ask: Ask, changes: Changes, nodeId: string): Promise<void> {
  for (const write of writes) await writeRows(ask, write.rows(changes, nodeId), write)
  if (changes.closedHolds.length > 0) {
    await ask('delete from holds where id = any($1)', [changes.closedHolds])
  }
}
