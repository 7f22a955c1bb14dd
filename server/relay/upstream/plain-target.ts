import { fetchAsDataUrl } from '#server/lib/network/guarded-fetch.ts'
import { fetchThrough } from '#server/lib/proxy/proxied-fetch.ts'
import { type Target, type Tools, unbounded } from '#server/providers/provider.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { printable } from './send.ts'

/** A channel as a provider sees it for calls of the relay's own, such as a list of models. */
export const plainTarget = (
  channel: RoutedChannel,
  { http, url }: Pick<InboundRequest, 'http' | 'url'>,
  model: string,
  clientDialect: string,
): Target => ({
  channelId: channel.id,
  type: channel.type,
  key: channel.key,
  baseUrl: channel.baseUrl,
  other: channel.other,
  model: channel.mapping.get(model) ?? model,
  operation: 'chat',
  bound: unbounded,
  stream: false,
  clientDialect,
  path: url.pathname,
  query: () => url.searchParams,
  passed: (header) => printable(http.headers.get(header)),
})

export const lookupTools = ({ ctx }: RelayContext, channel: RoutedChannel, { http }: InboundRequest): Tools => ({
  fetch: fetchThrough(channel.proxy, ctx.fetch) as Tools['fetch'],
  now: ctx.clock,
  signal: http.signal,
  fetchBytes: (address) => fetchAsDataUrl(address, http.signal),
})
