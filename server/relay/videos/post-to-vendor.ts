import { type JsonObject, objectOf, parseJson } from '#server/lib/json.ts'
import { fetchThrough } from '#server/lib/proxy/proxied-fetch.ts'
import { providerOf } from '#server/providers/index.ts'
import { beginningMs } from '#server/relay/long-work/begin.ts'
import { RelayFault } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { outgoing } from '#server/relay/upstream/outgoing.ts'
import { lookupTools } from '#server/relay/upstream/plain-target.ts'
import { targetOf } from '#server/relay/upstream/send.ts'
import { unanswered, VendorRefusal, vendorFault } from '#server/relay/upstream/vendor-refusal.ts'
import { textAfterSending } from '#server/relay/upstream/vendor-thing.ts'

/** Sends what was asked for to the vendor's own address of the operation. Throws what the vendor says against it. */
export async function postToVendor(
  context: RelayContext,
  inbound: InboundRequest,
  channel: RoutedChannel,
  ask: Ask,
): Promise<JsonObject> {
  const { ctx } = context
  const provider = providerOf(channel.type)
  const target = targetOf(ask, channel, inbound)
  // Work is begun whether or not its client still waits.
  const tools = { ...lookupTools(context, channel, inbound), signal: AbortSignal.timeout(beginningMs) }
  const { body, contentType } = await outgoing(ask, { provider, target, tools, overrides: null })
  const call = await provider.call(target, typeof body === 'string' ? body : '', tools)
  const answer = await fetchThrough(channel.proxy, ctx.fetch)(call.url, {
    method: 'POST',
    headers: { ...call.headers, ...channel.headers, 'content-type': contentType },
    body: body as string | Uint8Array<ArrayBuffer>,
    redirect: 'manual',
    signal: tools.signal,
  }).catch((cause) => {
    ctx.log.info('a vendor could not be asked', { channel: channel.id, cause })
    throw new RelayFault(unanswered('POST', cause))
  })
  if (!answer.ok) throw new VendorRefusal(await vendorFault(answer, channel.key))
  return objectOf(parseJson(await textAfterSending(answer))) ?? {}
}
