import { z } from 'zod'
import { customFault } from './faults.ts'
import { jsonObject } from './option-kinds.ts'

export const strategies = ['weight', 'cost', 'latency'] as const
export type Strategy = (typeof strategies)[number]

/** Model name, or `*` for all others, to the order among channels of equal priority. */
export const RoutingStrategies = jsonObject('routing strategy').transform((value, ctx): Record<string, Strategy> => {
  for (const [name, strategy] of Object.entries(value)) {
    if (strategies.some((known) => known === strategy)) continue
    ctx.addIssue(customFault('strategy.not', { name: name.slice(0, 60) }))
    return z.NEVER
  }
  return value as Record<string, Strategy>
})

const fallbacksMax = 10

/** Model name to the models asked in its place, in order. */
export const ModelFallbacks = jsonObject('model fallbacks').transform((value, ctx): Record<string, string[]> => {
  const trimmed: [string, string[]][] = []
  for (const [name, models] of Object.entries(value)) {
    const list = namesIn(models)
    if (!list || list.length > fallbacksMax || new Set(list).size < list.length) {
      ctx.addIssue(customFault('fallbacks.not', { name: name.slice(0, 60), max: fallbacksMax }))
      return z.NEVER
    }
    trimmed.push([name.trim(), list])
  }
  const fallbacks = Object.fromEntries(trimmed)
  const circle = circleIn(fallbacks)
  if (!circle) return fallbacks
  ctx.addIssue(customFault('fallbacks.circle', { circle: circle.join(' → ').slice(0, 300) }))
  return z.NEVER
})

/** Without the blanks around them, as channels keep their models; null when it is no list of names. */
function namesIn(models: unknown): string[] | null {
  if (!Array.isArray(models)) return null
  const names = models.map((model: unknown) => (typeof model === 'string' ? model.trim() : ''))
  return names.includes('') ? null : names
}

/** A way from a model back to itself, or null. */
function circleIn(fallbacks: Readonly<Record<string, readonly string[]>>): string[] | null {
  const done = new Set<string>()
  const walk = (model: string, path: string[]): string[] | null => {
    const at = path.indexOf(model)
    if (at >= 0) return [...path.slice(at), model]
    if (done.has(model)) return null
    for (const next of Object.hasOwn(fallbacks, model) ? (fallbacks[model] ?? []) : []) {
      const circle = walk(next, [...path, model])
      if (circle) return circle
    }
    done.add(model)
    return null
  }
  for (const model of Object.keys(fallbacks)) {
    const circle = walk(model, [])
    if (circle) return circle
  }
  return null
}
