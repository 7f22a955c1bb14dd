import { type Account, type AccountKind, accountKinds, byKind, idOf } from '#server/billing/ledger/account.ts'
import { accountState, selectAccounts, stateColumns } from '#server/billing/ledger/account-tables.ts'
import type { Decision, Hold, Known, LedgerTask } from '#server/billing/ledger/decide.ts'
import type { PeriodOf } from '#server/lib/time/calendar.ts'
import type { SharedLimits } from './postgres-limits.ts'
import { createLimitMemory } from './remembered-limits.ts'
import type { Part, Proof } from './statement.ts'

/** The remembered state a batch is decided by, and the rows that must still have these values. */
export interface Remembered {
  readonly known: SharedKnown
  readonly proofs: readonly Proof[]
  /** What else must be true, known once the batch is decided. */
  conditions(): readonly Part[]
}

export type SharedKnown = Known & { readonly limits: SharedLimits }

/**
 * What this node left behind with its last commits. Another may have changed it since, so a batch decided by it is written only
 * when the database finds that nothing has: in the same statement, under lock, in one way there and back.
 */
export interface Memory {
  /** Null when something the batch needs is not remembered, or may not be. */
  recall(operations: readonly LedgerTask[], periodOf: PeriodOf): Remembered | null
  /** What was known, what was decided, and the database's clock as it was read with it. */
  learn(known: SharedKnown, decision: Decision, clock: Pick<SharedLimits, 'clock' | 'readAt'>): void
  /** Forgets accounts whose remembered state was wrong or may have changed. */
  forget(operations: readonly LedgerTask[]): void
}

const rememberedMax = 20_000
/** Where others change the same rows all the time, asking first is the shorter way. */
const restMs = 1000

export function createMemory(): Memory {
  const accounts = byKind(() => new Map<number, Account>())
  const holds = new Map<string, Hold>()
  const limitMemory = createLimitMemory()
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
        if (operation.type === 'enter') {
          const hold = holds.get(operation.entry.id)
          if (!hold) return null
          open.set(operation.entry.id, hold)
          continue
        }
        if (operation.type === 'settle' && operation.settlement.refund) return null
        const party = operation.type === 'reserve' ? operation.request : operation.settlement
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
      const counted = limitMemory.recall(operations)
      if (!counted) return null
      const known = { accounts: wanted, holds: open, settled: new Map(), periodOf, limits: counted.limits }
      // Built first, because deciding changes these values.
      const proofs = [...proveAccounts(wanted), ...proveHolds(open), ...counted.proofs]
      return { known, proofs, conditions: counted.conditions }
    },
    learn({ accounts: read, limits }, { changes }, clock) {
      limitMemory.learn(limits, clock)
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
      limitMemory.forget(operations)
      for (const operation of operations) {
        if (operation.type === 'enter') continue
        const party = operation.type === 'reserve' ? operation.request : operation.settlement
        for (const kind of accountKinds) accounts[kind].delete(idOf[kind](party))
        if (operation.type === 'settle') holds.delete(operation.settlement.id)
      }
    },
  }
}

const lockingAccounts = byKind(
  (kind) => (first: number) =>
    `select concat_ws('|', ${stateColumns}) as state
     from (${selectAccounts(kind)} where id = any($${first}) order by id for update skip locked) as accounts`,
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
   from holds where id = any($${first}::text[]) for update skip locked`

function proveHolds(open: ReadonlyMap<string, Hold>): Proof[] {
  if (open.size === 0) return []
  const states = [...open].map(([id, hold]) =>
    [id, hold.amount, hold.tokenAmount, hold.teamAmount, hold.budgetAmount, hold.at].join('|'),
  )
  return [{ name: 'holds', text: lockingHolds, values: [[...open.keys()], states] }]
}
