import { type Account, type AccountKind, accountKinds, byKind } from '#server/billing/ledger/account.ts'
import { type AccountRow, accountOf, selectAccounts } from '#server/billing/ledger/account-tables.ts'
import { type Booked, type Hold, type Known, type LedgerTask, refundRef } from '#server/billing/ledger/decide.ts'
import type { PeriodOf } from '#server/lib/time/calendar.ts'
import { accountIds, holdIds, lockedOperations } from './locked-operations.ts'
import { loadLimits, type SharedLimits } from './postgres-limits.ts'
import type { RunQuery } from './run-query.ts'

/** What a batch needs to know. */
export interface Loaded {
  readonly known: Known & { readonly limits: SharedLimits }
  /** Operations of the batch whose rows somebody else has locked. */
  readonly locked: ReadonlySet<LedgerTask>
}

/** Rows are locked in order of kind and id; those that somebody else has locked are not waited for. */
export async function load(ask: RunQuery, operations: readonly LedgerTask[], periodOf: PeriodOf): Promise<Loaded> {
  const accounts = byKind(() => new Map<number, Account>())
  const wanted = byKind((kind) => accountIds(kind, operations))
  const settlements = operations.flatMap((operation) => (operation.type === 'settle' ? [operation.settlement] : []))
  const refs = settlements.flatMap(({ id, refund }) => (refund ? [id, refundRef(id)] : [id]))
  // Sent together and answered in order, so that a batch takes one way there and back. Locks come first: what is read
  // behind them is what others have left.
  const locks = accountKinds.map(async (kind) => {
    for (const row of await lockAccounts(ask, kind, wanted[kind])) accounts[kind].set(row.id, accountOf(row))
  })
  const [holds, booked, limits] = await Promise.all([
    openHolds(ask, operations),
    bookedBefore(ask, refs),
    loadLimits(ask, operations),
    ...locks,
  ])
  const settled = new Map([...booked].filter(([ref]) => !holds.has(ref)))
  const locked = await lockedOperations(ask, operations, { accounts, holds })
  return { known: { accounts, holds, settled, periodOf, limits }, locked }
}

const locking = byKind((kind) => `${selectAccounts(kind)} where id = any($1) order by id for update skip locked`)

async function lockAccounts(ask: RunQuery, kind: AccountKind, ids: readonly number[]): Promise<readonly AccountRow[]> {
  if (ids.length === 0) return []
  return (await ask(locking[kind], [ids])).rows
}

/** The holds a batch closes or sends through a channel. */
async function openHolds(ask: RunQuery, operations: readonly LedgerTask[]): Promise<Map<string, Hold>> {
  const ids = operations.flatMap(holdIds)
  if (ids.length === 0) return new Map()
  const { rows } = await ask(
    'select id, amount, token_amount, team_amount, budget_amount, created_at from holds where id = any($1) for update skip locked',
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
