import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import type { routingApi } from '#shared/api/routing.ts'
import type { OutputOf } from '#shared/contract.ts'
import { channelStatus } from '#shared/statuses.ts'

type Parts = Pick<RelayContext, 'ctx' | 'breaker' | 'keys'>

/** When the rest of a channel, or of every key of its pool, ends; 0 when it does not rest. In milliseconds. */
export const restsUntil = ({ breaker, keys }: Parts, channel: RoutedChannel, now: number): number =>
  Math.max(breaker.restingUntil(channel.id), keys.restingUntil(channel, now))

/** Enabled channels that are passed over for a while after failures. */
export async function restingChannels(context: RelayContext): Promise<OutputOf<typeof routingApi.resting>> {
  const now = context.ctx.clock()
  const { channels } = await context.routing.table()
  return [...channels.values()]
    .filter(({ status }) => status === channelStatus.enabled)
    .map((channel) => ({ channel_id: channel.id, until: restsUntil(context, channel, now) }))
    .filter(({ until }) => until > now)
    .map(({ channel_id, until }) => ({ channel_id, resting_until: Math.ceil(until / 1000) }))
}
