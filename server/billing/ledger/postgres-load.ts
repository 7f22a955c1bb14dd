import type pg from 'pg'
import type { PeriodOf } from '#server/lib/calendar.ts'
import { type Account, type AccountKind, accountKinds, byKind, idOf } from './account.ts'
import { type AccountRow, accountOf, selectAccounts } from './account-tables.ts'
import type { Hold, Known, LedgerTask } from './decide.ts'
import { loadLimits, type SharedLimits } from './postgres-limits.ts'

export type Ask = (text: string, values?: unknown[]) => Promise<pg.QueryResult>

/** What a batch needs to know: rows locked in order of kind and id. */
export async function load(
  ask: Ask,
  operations: readonly LedgerTask[],
  periodOf: PeriodOf,
): Promise<Known & { readonly limits: SharedLimits }> {
  const accounts = byKind(() => new Map<number, Account>())
  for (const kind of accountKinds) {
    for (const row of await lockAccounts(ask, kind, operations)) accounts[kind].set(row.id, accountOf(row))
  }
  const settling = operations.flatMap((operation) => (operation.type === 'settle' ? [operation.settlement.id] : []))
  const holds = await openHolds(ask, settling)
  const closed = settling.filter((id) => !holds.has(id))
  const settled = await settledBefore(ask, closed)
  return { accounts, holds, settled, periodOf, limits: await loadLimits(ask, operations) }
}

const locking = byKind((kind) => `${selectAccounts(kind)} where id = any($1) order by id for update`)

async function lockAccounts(
  ask: Ask,
  kind: AccountKind,
  operations: readonly LedgerTask[],
): Promise<readonly AccountRow[]> {
  const ids = new Set<number>()
  for (const operation of operations) {
    if (operation.type === 'enter') continue
    const id = idOf[kind](operation.type === 'reserve' ? operation.request : operation.settlement)
    if (id > 0) ids.add(id)
  }
  if (ids.size === 0) return []
  return (await ask(locking[kind], [[...ids]])).rows
}

async function openHolds(ask: Ask, ids: string[]): Promise<Map<string, Hold>> {
  if (ids.length === 0) return new Map()
  const { rows } = await ask(
    'select id, amount, token_amount, team_amount, budget_amount, created_at from holds where id = any($1) for update',
    [ids],
  )
  return new Map(
    rows.map((row): [string, Hold] => [
      row.id,
      {
        amount: row.amount,
        teamAmount: row.team_amount,
        tokenAmount: row.token_amount,
        budgetAmount: row.budget_amount,
        at: row.created_at,
      },
    ]),
  )
}

async function settledBefore(ask: Ask, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await ask('select ref from ledger_entries where ref = any($1)', [ids])
  return new Set(rows.map((row) => row.ref))
}
