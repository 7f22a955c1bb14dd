import { providerOf } from '#server/providers/index.ts'
import type { UpstreamCall } from '#server/providers/provider.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'

/** The call that asks a channel's vendor about what it keeps, at a path below the version; refused where it keeps nothing. */
export function storedCall(
  channel: RoutedChannel,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): UpstreamCall {
  const call = providerOf(channel.type).stored?.call(channel, path)
  if (!call) throw refuse('stateGone')
  return { ...call, headers: { ...call.headers, ...headers } }
}
