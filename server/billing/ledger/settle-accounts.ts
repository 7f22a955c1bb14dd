import type { PeriodOf } from '#server/lib/time/calendar.ts'
import { type Account, accountKinds, countsIn, type Involved, roll } from './account.ts'
import type { RequestLog } from './ledger.ts'

/** What a hold took of a token and of budgets. */
interface Taken {
  readonly tokenAmount: number
  readonly budgetAmount: number
}

/** What a request paid, and when it was let in. */
interface Spent {
  readonly hold?: Taken | undefined
  readonly paid: number
  readonly admittedAt: number
  readonly periodOf: PeriodOf
}

/** A token with less quota than was used goes down to zero; the wallet pays all of it. Returns what the token paid. */
export function settleToken(token: Account | undefined, hold: Taken | undefined, paid: number, at: number): number {
  if (!token) return 0
  const left = token.balance + (hold?.tokenAmount ?? 0)
  const tokenPaid = token.unlimited ? 0 : Math.max(0, Math.min(paid, left))
  token.balance = left - tokenPaid
  token.usedQuota += paid
  token.accessedTime = at
  return tokenPaid
}

/** Adds the payment and the request to all counters. */
export function countRequest({ user, team, member }: Involved, teamId: number, paid: number, requests: number): void {
  addUse(user, paid, requests)
  if (teamId === 0) return
  addUse(team, paid, requests)
  addUse(member, paid, requests)
}

function addUse(account: Account | undefined, paid: number, requests: number): void {
  if (!account) return
  account.usedQuota += paid
  account.requestCount += requests
}

/** A charge counts in the period in which its request was admitted; one that has ended counts no more. */
export function countOnBudgets(who: Involved, { hold, paid, admittedAt, periodOf }: Spent): void {
  for (const kind of accountKinds) {
    const account = who[kind]
    if (!account) continue
    roll(account, admittedAt, periodOf)
    if (!countsIn(account, admittedAt)) continue
    account.budgetUsed += paid
    account.budgetHeld = Math.max(0, account.budgetHeld - (hold?.budgetAmount ?? 0))
  }
}

/** Taking less than the charge leaves a shortfall, which is written on the log row. */
export function withShortfall(log: RequestLog, shortfall: number): RequestLog {
  if (shortfall <= 0) return log
  return { ...log, detail: JSON.stringify({ ...JSON.parse(log.detail || '{}'), shortfall }) }
}
