export interface Budgeted {
  readonly budget: number
  readonly budget_used: number
  readonly budget_period: 'day' | 'week' | 'month'
  readonly budget_resets_at: number
}

/** Whether a budget is set on an account or a token. */
export const hasBudget = <Thing extends object>(thing: Thing): thing is Thing & Budgeted =>
  'budget' in thing && typeof thing.budget === 'number' && thing.budget > 0
