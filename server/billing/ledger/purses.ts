import { type Account, type AccountKind, accountKinds, type Involved } from './account.ts'

/** What can refuse a request for lack of money. */
export type PurseName = 'user' | 'team' | 'token' | `${AccountKind} budget`

/** One of the places a request spends from. */
export interface Purse {
  readonly name: PurseName
  readonly available: number
  /** When a budget's next period starts; 0 for purses without one. */
  readonly resetsAt: number
}

/** The wallet that pays: that of the team, else that of the user. */
export const walletOf = (who: Involved, teamId: number): Account | undefined => (teamId > 0 ? who.team : who.user)

const budgetOrder: readonly AccountKind[] = ['token', 'user', 'team', 'member']

/** All purses of a request, in order: the wallet, the quota of the token, and its budgets. */
export function pursesOf(who: Involved, teamId: number): Purse[] {
  const purses: Purse[] = []
  const wallet = walletOf(who, teamId)
  if (wallet) purses.push({ name: teamId > 0 ? 'team' : 'user', available: wallet.balance, resetsAt: 0 })
  if (who.token && !who.token.unlimited) purses.push({ name: 'token', available: who.token.balance, resetsAt: 0 })
  for (const kind of budgetOrder) {
    const account = who[kind]
    if (!account || account.budget === 0) continue
    const available = account.budget - account.budgetUsed - account.budgetHeld
    purses.push({ name: `${kind} budget`, available, resetsAt: account.budgetTo })
  }
  return purses
}

/** A budget after a charge, for reminders. */
export interface BudgetState {
  readonly kind: AccountKind
  readonly budget: number
  readonly used: number
  readonly from: number
  readonly resetsAt: number
}

const none: readonly BudgetState[] = []

export function budgetsOf(who: Involved): readonly BudgetState[] {
  let found: BudgetState[] | null = null
  for (const kind of accountKinds) {
    const account = who[kind]
    if (!account || account.budget === 0) continue
    found ??= []
    const { budget, budgetUsed: used, budgetFrom: from, budgetTo: resetsAt } = account
    found.push({ kind, budget, used, from, resetsAt })
  }
  return found ?? none
}
