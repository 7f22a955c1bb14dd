import { fetchThrough } from '#server/lib/proxy/proxied-fetch.ts'
import type { UpstreamCall } from '#server/providers/provider.ts'
import { RelayFault, refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { unanswered, VendorRefusal, vendorFault } from './vendor-refusal.ts'

interface Exchange {
  readonly method: 'GET' | 'POST'
  readonly call: UpstreamCall
  readonly body?: ReadableStream<Uint8Array> | string
}

/** How long a vendor may take to begin an answer; while a body is on its way to it nobody counts. */
const beginsWithinMs = 60_000

/** A vendor that takes or sends large things; the answer is unread. Refusals of the vendor are thrown. */
export async function streamVendor(
  { ctx }: RelayContext,
  channel: RoutedChannel,
  { method, call, body }: Exchange,
  gone: AbortSignal,
): Promise<Response> {
  let answer: Response
  const late = new AbortController()
  const timer = body instanceof ReadableStream ? undefined : setTimeout(() => late.abort(), beginsWithinMs)
  try {
    answer = await fetchThrough(channel.proxy, ctx.fetch)(call.url, {
      method,
      headers: { 'accept-encoding': 'identity', ...call.headers, ...channel.headers },
      signal: AbortSignal.any([gone, late.signal]),
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
  } catch (cause) {
    ctx.log.info('a vendor could not be asked', { channel: channel.id, cause })
    throw late.signal.aborted ? refuse('upstreamTimeout') : new RelayFault(unanswered(method, cause))
  } finally {
    clearTimeout(timer)
  }
  if (answer.ok) return answer
  throw new VendorRefusal(await vendorFault(answer, channel.key))
}

/** A vendor that says nothing for so long in the middle of a file has left. */
const silentMs = 120_000

/** The bytes of an answer as they come; ends with a fault when they stop coming. */
export async function* bytesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = body.getReader()
  try {
    for (;;) {
      const silence = Promise.withResolvers<never>()
      const timer = setTimeout(() => silence.reject(refuse('streamStalled')), silentMs)
      const { done, value } = await Promise.race([reader.read(), silence.promise]).finally(() => clearTimeout(timer))
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
