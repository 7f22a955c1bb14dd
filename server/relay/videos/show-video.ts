import { openPublic } from '#server/lib/network/guarded-fetch.ts'
import { fetchThrough } from '#server/lib/proxy/proxied-fetch.ts'
import { safeType } from '#server/relay/answer/media-types.ts'
import { openHeaders } from '#server/relay/delivery/answer-headers.ts'
import { watchedStream } from '#server/relay/delivery/watched-stream.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { StateRow } from '#server/relay/state/state.store.ts'
import { keeperOf } from '#server/relay/stored/held-by-vendor.ts'
import { storedCall } from '#server/relay/upstream/stored-call.ts'
import { VendorRefusal, vendorFault } from '#server/relay/upstream/vendor-refusal.ts'

/** Follows a redirect to the bytes without the credential; to another host only where that is outside of the own network. */
async function openElsewhere(
  address: string,
  from: string,
  fetcher: typeof fetch,
  signal: AbortSignal,
): Promise<Response> {
  const url = new URL(address, from)
  return url.origin === new URL(from).origin
    ? fetcher(url, { signal, redirect: 'manual' })
    : openPublic(url.href, signal)
}

/** Bytes of a video, passed on as its client reads them. */
export async function showVideo(
  context: RelayContext,
  inbound: InboundRequest,
  row: StateRow,
  path: string,
): Promise<Response> {
  const { ctx } = context
  const channel = await keeperOf(context, row)
  const call = storedCall(channel, path)
  const stop = new AbortController()
  const signal = AbortSignal.any([inbound.http.signal, stop.signal])
  const fetcher = fetchThrough(channel.proxy, ctx.fetch)
  const unreached = () => {
    throw refuse('upstreamFailed')
  }
  const headers = { ...call.headers, ...channel.headers }
  const first = await fetcher(call.url, { headers, signal, redirect: 'manual' }).catch(unreached)
  const elsewhere = first.status >= 300 && first.status < 400 ? first.headers.get('location') : null
  const answer = elsewhere ? await openElsewhere(elsewhere, call.url, fetcher, signal).catch(unreached) : first
  if (!answer.ok) throw new VendorRefusal(await vendorFault(answer, channel.key))
  if (!answer.body) throw refuse('emptyAnswer')
  inbound.connection.streams()
  const body = watchedStream(answer.body, inbound.http.signal, {
    sourceMs: ctx.config.UPSTREAM_IDLE_TIMEOUT * 1000,
    readerMs: ctx.config.CLIENT_IDLE_TIMEOUT * 1000,
    abort: () => stop.abort(),
    ended: async () => inbound.connection.streamed(),
  })
  const type = safeType(answer.headers.get('content-type'))
  return new Response(body, {
    headers: {
      ...openHeaders,
      'content-type': type.includes('html') ? 'text/plain' : type,
    },
  })
}
