import type { Tx } from '#server/db/database.ts'
import type { BudgetPeriod } from '#shared/budget.ts'
import type { AccountKind } from './account.ts'
import { changeBudgetPeriod } from './recount-budgets.ts'

/** Gives a budget the period an entry of the history holds, if it holds one. What was used in it is counted behind the transaction. */
export async function putBackPeriod(tx: Tx, kind: AccountKind, id: number, period: unknown): Promise<void> {
  if (period !== undefined) await changeBudgetPeriod(tx, kind, id, period as BudgetPeriod)
}
