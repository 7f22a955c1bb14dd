import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { drawFrom, firstAmong } from './decide.ts'
import type { PlannedRoute } from './plan-route.ts'
import { asLastResort, conditionsNow } from './routing-conditions.ts'
import type { RoutedChannel } from './routing-table.ts'

/** The channel, with the key whose turn it is, for what is asked of one channel alone. */
export function pickChannel(context: RelayContext, { ask, plan }: PlannedRoute): RoutedChannel {
  const present = conditionsNow(context, ask.model, null)
  const awake = firstAmong(plan.candidates, present)
  const channel = drawFrom(awake.length > 0 ? awake : firstAmong(plan.candidates, asLastResort(present)), Math.random)
  if (!channel) throw refuse('noChannel', { model: ask.model, reason: 'no channel is left to try' })
  return { ...channel, key: context.keys.next(channel, new Set(), context.ctx.clock()) ?? channel.key }
}
