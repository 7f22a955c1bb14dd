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

const ranked = Object.keys(budgets)

/** The effort itself, or the end of what a model knows that it lies beyond. */
export function nearestEffort(asked: Effort, least: Effort, most: Effort): Effort {
  const rank = (effort: Effort) => ranked.indexOf(effort)
  if (rank(asked) < rank(least)) return least
  return rank(asked) > rank(most) ? most : asked
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
