import { type Account, type AccountKind, accountKinds, byKind, idOf } from '#server/billing/ledger/account.ts'
import { type AccountRow, accountOf, selectAccounts } from '#server/billing/ledger/account-tables.ts'
import { type Booked, type Hold, type Known, type LedgerTask, refundRef } from '#server/billing/ledger/decide.ts'
import type { Settlement } from '#server/billing/ledger/ledger.ts'
import type { PeriodOf } from '#server/lib/time/calendar.ts'
import { loadLimits, type SharedLimits } from './postgres-limits.ts'
import type { RunQuery } from './run-query.ts'

/** What a batch needs to know: rows locked in order of kind and id. */
export async function load(
  ask: RunQuery,
  operations: readonly LedgerTask[],
  periodOf: PeriodOf,
): Promise<Known & { readonly limits: SharedLimits }> {
  const accounts = byKind(() => new Map<number, Account>())
  const settlements = operations.flatMap((operation) => (operation.type === 'settle' ? [operation.settlement] : []))
  const refs = settlements.flatMap(({ id, refund }) => (refund ? [id, refundRef(id)] : [id]))
  // Sent together and answered in order, so that a batch takes one way there and back. Locks come first: what is read
  // behind them is what others have left.
  const locks = accountKinds.map(async (kind) => {
    for (const row of await lockAccounts(ask, kind, operations)) accounts[kind].set(row.id, accountOf(row))
  })
  const [holds, booked, limits] = await Promise.all([
    openHolds(ask, settlements),
    bookedBefore(ask, refs),
    loadLimits(ask, operations),
    ...locks,
  ])
  const settled = new Map([...booked].filter(([ref]) => !holds.has(ref)))
  return { accounts, holds, settled, periodOf, limits }
}

const locking = byKind((kind) => `${selectAccounts(kind)} where id = any($1) order by id for update`)

async function lockAccounts(
  ask: RunQuery,
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

async function openHolds(ask: RunQuery, settlements: readonly Settlement[]): Promise<Map<string, Hold>> {
  if (settlements.length === 0) return new Map()
  const ids = settlements.map(({ id }) => id)
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

async function bookedBefore(ask: RunQuery, refs: readonly string[]): Promise<Map<string, Booked>> {
  if (refs.length === 0) return new Map()
  const { rows } = await ask('select ref, amount, team_amount, token_amount from ledger_entries where ref = any($1)', [
    refs,
  ])
  return new Map(
    rows.map((row): [string, Booked] => [
      row.ref,
      { amount: row.amount, teamAmount: row.team_amount, tokenAmount: row.token_amount },
    ]),
  )
}
