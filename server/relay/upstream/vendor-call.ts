import type { ChatFault } from '#server/dialects/chat.ts'
import { parseJson } from '#server/lib/json.ts'
import { fetchThrough } from '#server/lib/proxy/proxied-fetch.ts'
import type { UpstreamCall } from '#server/providers/provider.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { unanswered, vendorFault } from './vendor-refusal.ts'

export type VendorAnswer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly fault: ChatFault }

interface Question {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly call: UpstreamCall
  readonly body?: unknown
}

const patienceMs = 60_000

/** Asks a vendor something that costs nothing: a count, or what it keeps. */
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
      signal: AbortSignal.any([gone, AbortSignal.timeout(patienceMs)]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (answer.ok) return { ok: true, body: parseJson(text) ?? {} }
    return { ok: false, fault: vendorFault(answer.status, text, channel.key) }
  } catch (cause) {
    ctx.log.info('a vendor could not be asked', { channel: channel.id, cause })
    return { ok: false, fault: unanswered(method, cause) }
  }
}
