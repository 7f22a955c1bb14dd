import { fetchThrough } from '#server/lib/proxy/proxied-fetch.ts'
import type { UpstreamCall } from '#server/providers/provider.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { unanswered, vendorFault, wholeText } from './vendor-refusal.ts'
import { answerIn, type VendorAnswer } from './vendor-thing.ts'

interface Question {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly call: UpstreamCall
  readonly body?: unknown
}

/** The timeout for calls that cost nothing. */
export const briefly = (gone: AbortSignal): AbortSignal => AbortSignal.any([gone, AbortSignal.timeout(60_000)])

/** Asks a vendor something; `gone` ends the wait. */
export async function askVendor(
  { ctx }: RelayContext,
  channel: RoutedChannel,
  { method, call, body }: Question,
  gone: AbortSignal,
): Promise<VendorAnswer> {
  const headers = { ...call.headers, ...channel.headers, 'content-type': 'application/json' }
  try {
    const answer = await fetchThrough(channel.proxy, ctx.fetch)(call.url, {
      method,
      headers,
      signal: gone,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) return { ok: false, fault: await vendorFault(answer, channel.key) }
    const text = await wholeText(answer)
    // An empty answer to a deletion or cancellation is a success.
    return text === '' && method !== 'GET' ? { ok: true, body: {} } : answerIn(text, channel.key)
  } catch (cause) {
    ctx.log.info('a vendor could not be asked', { channel: channel.id, cause })
    return { ok: false, fault: unanswered(method, cause) }
  }
}
