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
  for (const [name, models] of Object.entries(value)) {
    const isList = Array.isArray(models) && models.every((model) => typeof model === 'string' && model !== '')
    if (isList && models.length <= fallbacksMax && new Set(models).size === models.length) continue
    ctx.addIssue(customFault('fallbacks.not', { name: name.slice(0, 60), max: fallbacksMax }))
    return z.NEVER
  }
  const fallbacks = value as Record<string, string[]>
  const circle = circleIn(fallbacks)
  if (!circle) return fallbacks
  ctx.addIssue(customFault('fallbacks.circle', { circle: circle.join(' → ').slice(0, 300) }))
  return z.NEVER
})

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
