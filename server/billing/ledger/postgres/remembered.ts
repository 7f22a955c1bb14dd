import {
  type Account,
  type AccountKind,
  type AccountsById,
  accountKinds,
  byKind,
  idOf,
} from '#server/billing/ledger/account.ts'
import { accountState, selectAccounts, stateColumns } from '#server/billing/ledger/account-tables.ts'
import type { Decision, Hold, Known, LedgerTask } from '#server/billing/ledger/decide.ts'
import type { PeriodOf } from '#server/lib/time/calendar.ts'
import { noLimits } from './postgres-limits.ts'
import type { Proof } from './statement.ts'

/** What a batch is decided by before the database was asked, and the rows that must still be so. */
export interface Remembered {
  readonly known: Known
  readonly proofs: readonly Proof[]
}

/**
 * What this node left behind with its last commits. Another may have changed it since, so a batch decided by it is written only
 * when the database finds that nothing has: in the same statement, under lock, in one way there and back.
 */
export interface Memory {
  /** Null when something the batch needs is not remembered, or may not be. */
  recall(operations: readonly LedgerTask[], periodOf: PeriodOf): Remembered | null
  learn(accounts: AccountsById, decision: Decision): void
  /** It was not so, or may not be any more. */
  forget(operations: readonly LedgerTask[]): void
}

const rememberedMax = 20_000
/** Where others change the same rows all the time, asking first is the shorter way. */
const restMs = 1000

export function createMemory(): Memory {
  const accounts = byKind(() => new Map<number, Account>())
  const holds = new Map<string, Hold>()
  let restsUntil = 0

  const keep = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value) => {
    if (map.size >= rememberedMax) map.clear()
    map.set(key, value)
  }
  return {
    recall(operations, periodOf) {
      if (performance.now() < restsUntil) return null
      const wanted = byKind(() => new Map<number, Account>())
      const open = new Map<string, Hold>()
      for (const operation of operations) {
        const party = partyOf(operation)
        if (!party) return null
        for (const kind of accountKinds) {
          const id = idOf[kind](party)
          const account = accounts[kind].get(id)
          if (id === 0) continue
          if (!account) return null
          wanted[kind].set(id, account)
        }
        if (operation.type !== 'settle') continue
        const hold = holds.get(operation.settlement.id)
        if (!hold) return null
        open.set(operation.settlement.id, hold)
      }
      const known = { accounts: wanted, holds: open, settled: new Map(), periodOf, limits: noLimits }
      // Written down before anything is decided, which changes them.
      return { known, proofs: [...proveAccounts(wanted), ...proveHolds(open)] }
    },
    learn(read, { changes }) {
      for (const kind of accountKinds) {
        for (const [id, account] of read[kind]) keep(accounts[kind], id, account)
        for (const [id, account] of changes.accounts[kind]) keep(accounts[kind], id, account)
      }
      for (const { id, amount, teamAmount, tokenAmount, budgetAmount, at } of changes.newHolds) {
        keep(holds, id, { amount, teamAmount, tokenAmount, budgetAmount, at })
      }
      for (const id of changes.closedHolds) holds.delete(id)
    },
    forget(operations) {
      restsUntil = performance.now() + restMs
      for (const operation of operations) {
        if (operation.type === 'enter') continue
        const party = operation.type === 'reserve' ? operation.request : operation.settlement
        for (const kind of accountKinds) accounts[kind].delete(idOf[kind](party))
        if (operation.type === 'settle') holds.delete(operation.settlement.id)
      }
    },
  }
}

/** Whose rows an operation needs; null when it needs more than rows this node can remember. */
function partyOf(operation: LedgerTask) {
  if (operation.type === 'reserve') return operation.request.limits ? null : operation.request
  if (operation.type === 'enter') return null
  const { settlement } = operation
  return settlement.refund || settlement.corrections.length > 0 ? null : settlement
}

const lockingAccounts = byKind(
  (kind) => (first: number) =>
    `select concat_ws('|', ${stateColumns}) as state
     from (${selectAccounts(kind)} where id = any($${first}) order by id for update) as accounts`,
)

function proveAccounts(wanted: Readonly<Record<AccountKind, Map<number, Account>>>): Proof[] {
  return accountKinds.flatMap((kind) => {
    const rows = [...wanted[kind]]
    if (rows.length === 0) return []
    const states = rows.map(([id, account]) => accountState(id, account))
    return [{ name: kind, text: lockingAccounts[kind], values: [rows.map(([id]) => id), states] }]
  })
}

const lockingHolds = (first: number) =>
  `select concat_ws('|', id, amount, token_amount, team_amount, budget_amount, created_at) as state
   from holds where id = any($${first}::text[]) for update`

function proveHolds(open: ReadonlyMap<string, Hold>): Proof[] {
  if (open.size === 0) return []
  const states = [...open].map(([id, hold]) =>
    [id, hold.amount, hold.tokenAmount, hold.teamAmount, hold.budgetAmount, hold.at].join('|'),
  )
  return [{ name: 'holds', text: lockingHolds, values: [[...open.keys()], states] }]
}
