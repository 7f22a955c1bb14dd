import type { PeriodOf } from '#server/lib/time/calendar.ts'
import type { BudgetPeriod } from '#shared/budget.ts'

/** The kinds of accounts, in the order in which their rows are locked. */
export const accountKinds = ['user', 'token', 'team', 'member'] as const
export type AccountKind = (typeof accountKinds)[number]

/** An account, as far as the ledger needs it. */
export interface Account {
  /** What is left to spend, holds taken off: a wallet, or the quota of a token. */
  balance: number
  /** True when there is no balance to respect: an unlimited token, or a member. */
  unlimited: boolean
  usedQuota: number
  requestCount: number
  accessedTime: number
  /** 0: none. Use and holds are counted all the same, so that a budget set later knows them. */
  budget: number
  budgetPeriod: BudgetPeriod
  budgetFrom: number
  budgetTo: number
  budgetUsed: number
  budgetHeld: number
}

/** The user, the token, and the team that pays; 0: none. */
export interface Party {
  readonly userId: number
  readonly tokenId: number
  readonly teamId: number
  readonly memberId: number
}

export const idOf: Readonly<Record<AccountKind, (party: Party) => number>> = {
  user: ({ userId }) => userId,
  token: ({ tokenId }) => tokenId,
  team: ({ teamId }) => teamId,
  member: ({ memberId }) => memberId,
}

export type AccountsById<Value = Account> = Readonly<Record<AccountKind, ReadonlyMap<number, Value>>>

export const byKind = <Value>(make: (kind: AccountKind) => Value): Record<AccountKind, Value> => ({
  user: make('user'),
  token: make('token'),
  team: make('team'),
  member: make('member'),
})

/** The accounts of one request; undefined when there is none, or none any more. */
export type Involved = Readonly<Record<AccountKind, Account | undefined>>

export const involved = (party: Party, find: (kind: AccountKind, id: number) => Account | undefined): Involved => ({
  user: find('user', party.userId),
  token: find('token', party.tokenId),
  team: party.teamId > 0 ? find('team', party.teamId) : undefined,
  member: party.teamId > 0 ? find('member', party.memberId) : undefined,
})

/** Starts the period of this moment where the counted one has ended. */
export function roll(account: Account, at: number, periodOf: PeriodOf): void {
  if (at < account.budgetTo) return
  const { from, to } = periodOf(account.budgetPeriod, at)
  account.budgetFrom = from
  account.budgetTo = to
  account.budgetUsed = 0
  account.budgetHeld = 0
}

/** Whether a request admitted at this moment counts in the current period. */
export const countsIn = ({ budgetFrom, budgetTo }: Account, at: number): boolean => at >= budgetFrom && at < budgetTo
