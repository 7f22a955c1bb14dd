import { type Context, epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { calendarOf } from '#server/lib/time/calendar.ts'
import type { BudgetPeriod } from '#shared/budget.ts'
import type { AccountKind } from './account.ts'
import { bookBudgetPeriod } from './budget-sums.ts'

/** Gives a budget the period an entry of the history holds, if it holds one, and counts anew what was used and is held in it. */
export async function putBackPeriod(
  { ctx, tx }: { readonly ctx: Context; readonly tx: Tx },
  kind: AccountKind,
  id: number,
  period: unknown,
): Promise<void> {
  if (period === undefined) return
  const periodOf = calendarOf(ctx.options().TimeZone)
  await bookBudgetPeriod(tx, kind, id, { period: period as BudgetPeriod, periodOf, at: epochSeconds(ctx) })
}
