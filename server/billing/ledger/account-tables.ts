import type { Tables } from '#server/db/tables.ts'
import type { BudgetPeriod } from '#shared/budget.ts'
import type { Account, AccountKind } from './account.ts'

/** Where an account is stored: its table, and the columns it has for what not every account has. */
export interface AccountTable {
  readonly table: keyof Tables
  readonly balance?: string
  readonly unlimited?: string
  readonly requests?: string
  readonly accessed?: string
}

export const accountTables: Readonly<Record<AccountKind, AccountTable>> = {
  user: { table: 'users', balance: 'quota', requests: 'request_count' },
  token: { table: 'tokens', balance: 'remain_quota', unlimited: 'unlimited_quota', accessed: 'accessed_time' },
  team: { table: 'teams', balance: 'quota', requests: 'request_count' },
  member: { table: 'team_members' },
}

/** A row as both engines read it. */
export interface AccountRow {
  readonly id: number
  readonly balance: number
  readonly unlimited: number
  readonly used: number
  readonly requests: number
  readonly accessed: number
  readonly budget: number
  readonly budget_period: BudgetPeriod
  readonly budget_used: number
  readonly budget_held: number
  readonly budget_from: number
  readonly budget_to: number
}

/** The beginning of the statement that reads accounts of a kind. */
export function selectAccounts(kind: AccountKind): string {
  const { table, balance, unlimited, requests, accessed } = accountTables[kind]
  const isBound = balance === undefined ? 1 : 0
  return `select id, ${balance ?? 0} as balance, ${unlimited ?? isBound} as unlimited, used_quota as used,
    ${requests ?? 0} as requests, ${accessed ?? 0} as accessed,
    budget, budget_period, budget_used, budget_held, budget_from, budget_to from ${table}`
}

export const accountOf = (row: AccountRow): Account => ({
  balance: row.balance,
  unlimited: row.unlimited === 1,
  usedQuota: row.used,
  requestCount: row.requests,
  accessedTime: row.accessed,
  budget: row.budget,
  budgetPeriod: row.budget_period,
  budgetFrom: row.budget_from,
  budgetTo: row.budget_to,
  budgetUsed: row.budget_used,
  budgetHeld: row.budget_held,
})

/** SQL for all columns of an account as one text. */
export const stateColumns =
  'id, balance, unlimited, used, requests, accessed, budget, budget_period, budget_used, budget_held, budget_from, budget_to'

/** The same text for an account in memory, to be compared with the database's. */
export const accountState = (id: number, account: Account): string =>
  [
    id,
    account.balance,
    account.unlimited ? 1 : 0,
    account.usedQuota,
    account.requestCount,
    account.accessedTime,
    account.budget,
    account.budgetPeriod,
    account.budgetUsed,
    account.budgetHeld,
    account.budgetFrom,
    account.budgetTo,
  ].join('|')
