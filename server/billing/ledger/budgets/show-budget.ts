import type { Selectable } from 'kysely'
import type { BudgetColumns } from '#server/db/tables.ts'
import { calendarOf } from '#server/lib/time/calendar.ts'
import type { BudgetFields } from '#shared/budget.ts'

/** A budget as it is shown. A period without spending is not stored. */
export function showBudget(row: Selectable<BudgetColumns>, { zone, at }: { zone: string; at: number }): BudgetFields {
  const runs = at < row.budget_to
  return {
    budget: row.budget,
    budget_period: row.budget_period,
    budget_used: runs ? row.budget_used : 0,
    budget_resets_at: runs ? row.budget_to : calendarOf(zone)(row.budget_period, at).to,
  }
}
