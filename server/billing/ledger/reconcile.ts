import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Db, isSqlite } from '#server/db/database.ts'

export interface Drift {
  readonly kind: 'user' | 'token' | 'closed account'
  readonly id: number
  readonly balance: number
  /** What entries less open holds say it should be. */
  readonly proven: number
}

/** How much is read at a time, so that other work gets its turn in between. */
const entriesAtOnce = 20_000
const usersAtOnce = 1000

/** Amounts by the id of a user or token. */
type Sums = Map<number, number>

const add = (sums: Sums, id: number, amount: number) => sums.set(id, (sums.get(id) ?? 0) + amount)

/** Proves every balance: the sum of its entries less its open holds. An empty list is the proof. */
export function reconcile(db: Db): Promise<Drift[]> {
  // SQLite's one writer appends entries in order. Elsewhere they appear in any order, so all is read as of one moment.
  if (isSqlite(db)) return prove(db)
  return db.transaction().setIsolationLevel('repeatable read').execute(prove)
}

async function prove(db: Db): Promise<Drift[]> {
  const { rows } = await sql<{ mark: number; last: number }>`
    select (select coalesce(max(id), 0) from ledger_entries) as mark, (select coalesce(max(id), 0) from users) as last`.execute(
    db,
  )
  const { mark, last } = rows[0] ?? { mark: 0, last: 0 }
  const users: Sums = new Map()
  const tokens: Sums = new Map()
  for (let from = 0; from < mark; from += entriesAtOnce) {
    await addEntries(db, sql`id > ${from} and id <= ${Math.min(mark, from + entriesAtOnce)}`, users, tokens)
  }
  const drifts: Drift[] = []
  const end = [...users.keys()].reduce((highest, id) => Math.max(highest, id), last)
  for (let from = 0; from <= end; from += usersAtOnce) {
    drifts.push(...(await proveWindow(db, { from, to: from + usersAtOnce, mark }, users, tokens)))
  }
  return drifts
}

async function addEntries(db: Db, those: RawBuilder<unknown>, users: Sums, tokens: Sums): Promise<void> {
  const { rows } = await sql<{ user_id: number; token_id: number; amount: number; token_amount: number }>`
    select user_id, token_id, cast(sum(amount) as bigint) as amount, cast(sum(token_amount) as bigint) as token_amount
    from ledger_entries where ${those} group by user_id, token_id`.execute(db)
  for (const { user_id, token_id, amount, token_amount } of rows) {
    add(users, user_id, amount)
    add(tokens, token_id, token_amount)
  }
}

interface Window {
  readonly from: number
  readonly to: number
  /** Entries up to this one are in the sums. */
  readonly mark: number
}

/**
 * Users from one id up to another. One statement, so that balances, holds and later entries are seen at one moment; what moved
 * is added to the sums.
 */
async function proveWindow(db: Db, { from, to, mark }: Window, users: Sums, tokens: Sums): Promise<Drift[]> {
  const own = sql<SqlBool>`user_id >= ${from} and user_id < ${to}`
  const { rows } = await sql<{ of: 'user' | 'token'; is: 'balance' | 'moved'; id: number; amount: number }>`
    select 'user' as "of", 'balance' as "is", id, quota as amount from users where id >= ${from} and id < ${to}
    union all select 'token', 'balance', id, remain_quota from tokens where ${own}
    union all select 'user', 'moved', user_id, amount from ledger_entries where id > ${mark} and ${own}
    union all select 'token', 'moved', token_id, token_amount from ledger_entries where id > ${mark} and ${own}
    union all select 'user', 'moved', user_id, -amount from holds where ${own}
    union all select 'token', 'moved', token_id, -token_amount from holds where ${own}`.execute(db)
  const proven = { user: users, token: tokens }
  const balances = { user: new Map<number, number>(), token: new Map<number, number>() }
  for (const { of, is, id, amount } of rows) {
    if (is === 'balance') balances[of].set(id, amount)
    else add(proven[of], id, amount)
  }
  const drifting = (kind: 'user' | 'token'): Drift[] =>
    [...balances[kind]]
      .map(([id, balance]) => ({ kind, id, balance, proven: proven[kind].get(id) ?? 0 }))
      .filter((drift) => drift.balance !== drift.proven)
  const drifts = [...drifting('user'), ...drifting('token')]
  for (let id = from; id < to; id += 1) {
    const left = users.get(id) ?? 0
    if (left !== 0 && !balances.user.has(id)) drifts.push({ kind: 'closed account', id, balance: 0, proven: left })
  }
  return drifts
}
