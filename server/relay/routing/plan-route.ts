import { RelayFault } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { fallbacksOf, withModel } from './fallbacks.ts'
import { type Plan, planRequest } from './plan.ts'
import type { RoutingTable } from './routing-table.ts'

/** An ask with its plan, and the models that may be asked in place of its own. */
export interface PlannedRoute {
  readonly ask: Ask
  readonly plan: Plan
  readonly table: RoutingTable
  /** In order; the token's models and groups hold for them too. */
  readonly fallbacks: readonly string[]
}

type Parts = Pick<RelayContext, 'ctx' | 'routing' | 'prices' | 'refusedModels'>

/** Finds channels and price for the ask; where it has none, for the first of its fallback models that has some. */
export function planRoute(context: Parts, caller: Caller, ask: Ask): PlannedRoute | Promise<PlannedRoute> {
  const table = context.routing.table()
  return table instanceof Promise
    ? table.then((read) => planIn(read, context, caller, ask))
    : planIn(table, context, caller, ask)
}

function planIn(table: RoutingTable, context: Parts, caller: Caller, ask: Ask): PlannedRoute | Promise<PlannedRoute> {
  const isPinned = caller.pinnedChannelId !== null
  const fallbacks: readonly string[] = isPinned ? [] : fallbacksOf(context.ctx.options().ModelFallbacks, ask.model)
  try {
    return { ask, table, fallbacks, plan: planRequest(table, context.prices(), caller, ask) }
  } catch (fault) {
    if (!leavesNoChannel(fault)) throw fault
    return nextRoute(context, caller, { ask, table, fallbacks }).then((next) => {
      if (next) return next
      if (codeOf(fault) === 'model_not_priced') context.refusedModels.count(ask.model)
      throw fault
    })
  }
}

const noChannelCodes: ReadonlySet<string> = new Set([
  'no_available_channel',
  'model_not_found',
  'unsupported_operation',
  'model_not_priced',
])

const codeOf = (error: unknown): string => (error instanceof RelayFault ? (error.fault.code ?? '') : '')

const leavesNoChannel = (error: unknown): boolean => noChannelCodes.has(codeOf(error))

/** The next model in line that has channels and a price for this caller; null when there is none. */
export async function nextRoute(
  context: Parts,
  caller: Caller,
  { ask, table, fallbacks }: Pick<PlannedRoute, 'ask' | 'table' | 'fallbacks'>,
): Promise<PlannedRoute | null> {
  for (const [at, model] of fallbacks.entries()) {
    const other = await withModel(ask, model)
    try {
      const plan = planRequest(table, context.prices(), caller, other)
      return { ask: other, table, plan, fallbacks: fallbacks.slice(at + 1) }
    } catch (fault) {
      if (!(fault instanceof RelayFault)) throw fault
    }
  }
  return null
}
