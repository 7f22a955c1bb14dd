import { z } from 'zod'
import { fault } from './faults.ts'
import { Quota } from './quota.ts'

/** How often a budget begins anew; weeks begin on Monday. */
export const budgetPeriods = ['day', 'week', 'month'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]

export const BudgetPeriod = z.enum(budgetPeriods, fault('budget.period'))

/** What may be said about a budget; 0 means none. */
export const BudgetChange = z.object({
  budget: Quota.optional(),
  budget_period: BudgetPeriod.optional(),
})

/** A budget as it is shown: what the period that runs has used, and when the next one begins. */
export const BudgetFields = z.object({
  budget: z.number(),
  budget_period: BudgetPeriod,
  budget_used: z.number(),
  budget_resets_at: z.number(),
})
export type BudgetFields = z.output<typeof BudgetFields>
