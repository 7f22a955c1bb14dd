import type { ChatRequest, Effort } from './chat.ts'

const budgets: Record<Effort, number> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24576,
  xhigh: 32768,
  max: 49152,
}

/** Thinking tokens to grant for an effort, for models that take a number. */
export function budgetOfEffort(effort: Effort): number {
  return budgets[effort]
}

/** The effort a budget stands for, for models that take a word. Negative budgets leave it to the model. */
function effortOfBudget(tokens: number): Effort | undefined {
  if (tokens < 0) return undefined
  if (tokens === 0) return 'none'
  if (tokens < 4096) return 'low'
  return tokens < 16384 ? 'medium' : 'high'
}

/** The effort asked for, in whichever way it was said. */
export function effortOf(reasoning: ChatRequest['reasoning']): Effort | undefined {
  if (reasoning?.effort) return reasoning.effort
  return reasoning?.budgetTokens === undefined ? undefined : effortOfBudget(reasoning.budgetTokens)
}

export function isEffort(value: unknown): value is Effort {
  return typeof value === 'string' && Object.hasOwn(budgets, value)
}
