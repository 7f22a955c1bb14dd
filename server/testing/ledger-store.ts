import { type Account, byKind } from '#server/billing/ledger/account.ts'
import {
  type Decision,
  decide,
  type Hold,
  type Known,
  type LedgerTask,
  type NewEntry,
} from '#server/billing/ledger/decide.ts'
import { createMemoryLimits } from '#server/billing/limits/memory-limits.ts'
import { createCalendar } from '#server/lib/time/calendar.ts'

interface Payer {
  readonly userId?: number
  readonly tokenId?: number
  readonly teamId?: number
  readonly memberId?: number
}

const party = ({ userId = 1, tokenId = 1, teamId = 0, memberId = 0 }: Payer) => ({ userId, tokenId, teamId, memberId })

export const reserve = (
  id: string,
  least: number,
  wanted = least,
  payer: Payer & { readonly at?: number } = {},
): LedgerTask => ({
  type: 'reserve',
  request: { id, ...party(payer), least, wanted, at: payer.at ?? 1, limits: null },
})
export const settle = (id: string, charge: number, payer: Payer = {}, admittedAt = 1): LedgerTask => ({
  type: 'settle',
  settlement: {
    id,
    ...party(payer),
    charge,
    channelId: 7,
    counts: charge > 0,
    log: null,
    at: 1,
    admittedAt,
    corrections: [],
  },
})

export const account = (more: Partial<Account> = {}): Account => ({
  balance: 0,
  unlimited: false,
  usedQuota: 0,
  requestCount: 0,
  accessedTime: 0,
  budget: 0,
  budgetPeriod: 'day',
  budgetFrom: 0,
  budgetTo: 0,
  budgetUsed: 0,
  budgetHeld: 0,
  ...more,
})

/** The rows a database would hold, moved by decisions as a commit moves them. */
export function createStore(users: [number, number][], tokens: [number, number | 'unlimited'][]) {
  const accounts = byKind(() => new Map<number, Account>())
  for (const [id, balance] of users) accounts.user.set(id, account({ balance }))
  for (const [id, remain] of tokens) {
    accounts.token.set(id, account(remain === 'unlimited' ? { unlimited: true } : { balance: remain }))
  }
  const holds = new Map<string, Hold>()
  const entries = new Map<string, NewEntry>()
  const commit = (operations: readonly LedgerTask[]): Decision => {
    const periodOf = createCalendar(() => 'UTC')
    const known: Known = {
      accounts,
      holds,
      settled: entries,
      periodOf,
      limits: createMemoryLimits(() => 0),
    }
    const decision = decide(operations, known)
    const { changes } = decision
    for (const kind of ['user', 'token', 'team', 'member'] as const) {
      for (const [id, row] of changes.accounts[kind]) accounts[kind].set(id, row)
    }
    for (const hold of changes.newHolds) {
      if (holds.has(hold.id)) throw new Error('a hold with this id is open')
      holds.set(hold.id, hold)
    }
    for (const id of changes.closedHolds) holds.delete(id)
    for (const entry of changes.entries) {
      if (entries.has(entry.ref)) throw new Error('an entry with this cause exists')
      entries.set(entry.ref, entry)
    }
    return decision
  }
  return { users: accounts.user, tokens: accounts.token, accounts, holds, entries, commit }
}

export const paidBy = ({ results }: Decision) => results.map((result) => ('paid' in result ? result.paid : null))
