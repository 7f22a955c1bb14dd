import { type AccountKind, type AccountsById, accountKinds, idOf, type Party } from '#server/billing/ledger/account.ts'
import { accountTables } from '#server/billing/ledger/account-tables.ts'
import type { Hold, LedgerTask } from '#server/billing/ledger/decide.ts'
import type { RunQuery } from './run-query.ts'

/** Whose accounts an operation changes. */
export const partyOf = (operation: LedgerTask): Party | null => {
  if (operation.type === 'enter') return null
  return operation.type === 'reserve' ? operation.request : operation.settlement
}

export function accountIds(kind: AccountKind, operations: readonly LedgerTask[]): number[] {
  const ids = new Set<number>()
  for (const operation of operations) {
    const party = partyOf(operation)
    const id = party ? idOf[kind](party) : 0
    if (id > 0) ids.add(id)
  }
  return [...ids]
}

/** The hold an operation changes. */
export const holdIds = (operation: LedgerTask): string[] => {
  if (operation.type === 'settle') return [operation.settlement.id]
  return operation.type === 'enter' ? [operation.entry.id] : []
}

/** What a batch has locked. */
interface Taken {
  readonly accounts: AccountsById<unknown>
  readonly holds: ReadonlyMap<string, Hold>
}

/**
 * Operations with a row that is there and was not locked: somebody else has it. A row that is gone is found in neither place. Asked
 * only where something is missing.
 */
export async function lockedOperations(
  ask: RunQuery,
  operations: readonly LedgerTask[],
  { accounts, holds }: Taken,
): Promise<ReadonlySet<LedgerTask>> {
  const lockedIds = await Promise.all(
    accountKinds.map(async (kind) => {
      const missing = accountIds(kind, operations).filter((id) => !accounts[kind].has(id))
      return present(ask, `select id from ${accountTables[kind].table} where id = any($1)`, missing)
    }),
  )
  const missingHolds = operations.flatMap(holdIds).filter((id) => !holds.has(id))
  const lockedHolds = await present(ask, 'select id from holds where id = any($1)', missingHolds)
  const isTaken = (operation: LedgerTask): boolean => {
    const party = partyOf(operation)
    if (party && accountKinds.some((kind, at) => lockedIds[at]?.has(idOf[kind](party)))) return true
    return holdIds(operation).some((id) => lockedHolds.has(id))
  }
  const locked = new Set(operations.filter(isTaken))
  // What a settlement gives back is for the hold behind it: they stay together.
  for (const [at, operation] of operations.entries()) {
    const before = operations[at - 1]
    if (before && locked.has(before) && isSameParty(before, operation)) locked.add(operation)
  }
  return locked
}

const isSameParty = (one: LedgerTask, other: LedgerTask): boolean => {
  const [first, second] = [partyOf(one), partyOf(other)]
  return first !== null && second !== null && accountKinds.every((kind) => idOf[kind](first) === idOf[kind](second))
}

async function present<Id extends string | number>(
  ask: RunQuery,
  text: string,
  ids: readonly Id[],
): Promise<ReadonlySet<Id>> {
  if (ids.length === 0) return new Set()
  const { rows } = await ask(text, [[...ids]])
  return new Set(rows.map(({ id }: { id: Id }) => id))
}
