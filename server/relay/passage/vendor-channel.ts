import { decoded } from '#server/lib/text/decoded.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { channelStatus } from '#shared/statuses.ts'

/** The enabled channel of this type, else of this name, with the key whose turn it is; the awake ones first, by priority. */
export async function vendorChannel(
  { ctx, routing, breaker, keys }: RelayContext,
  { pinnedChannelId }: Caller,
  which: string,
): Promise<RoutedChannel> {
  const now = ctx.clock()
  const wanted = decoded(which)
  const enabled = [...(await routing.table()).channels.values()].filter(
    ({ id, status }) => status === channelStatus.enabled && (pinnedChannelId ?? id) === id,
  )
  const ofType = enabled.filter(({ type }) => String(type) === wanted)
  const found = ofType.length > 0 ? ofType : enabled.filter(({ name }) => name === wanted)
  const isAwake = ({ id }: RoutedChannel) => Number(!breaker.resting(id, now))
  const [channel] = found.toSorted((one, other) => isAwake(other) - isAwake(one) || other.priority - one.priority)
  if (!channel) throw refuse('passageUnknown', { which: wanted.slice(0, 60) })
  return { ...channel, key: keys.next(channel, new Set(), now) ?? channel.key }
}
