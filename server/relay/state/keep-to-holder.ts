import type { Context } from '#server/context.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { PlannedRoute } from '#server/relay/routing/plan-route.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import type { Holder } from './resolve-state.ts'

/** The channel with the one key under which it keeps something; undefined when it has lost that key. */
export function withHeldKey(ctx: Context, channel: RoutedChannel, keyHash: string): RoutedChannel | undefined {
  const key = channel.keys.find((each) => ctx.secrets.hash(each) === keyHash)
  return key === undefined ? undefined : { ...channel, key, keys: [key] }
}

/** Narrows the route to the channel that keeps what the request refers to. */
export function keepToHolder(ctx: Context, route: PlannedRoute, holder: Holder | null): PlannedRoute {
  if (!holder) return route
  const channel = route.plan.candidates.find(({ id }) => id === holder.channelId)
  const held = channel && withHeldKey(ctx, channel, holder.keyHash)
  if (!held && holder.isPast) return route
  if (!held) throw refuse('stateGone')
  return { ...route, fallbacks: [], plan: { ...route.plan, candidates: [held] } }
}
