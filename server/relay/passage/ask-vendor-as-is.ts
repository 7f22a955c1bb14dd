import { fetchThrough } from '#server/lib/proxy/proxied-fetch.ts'
import { withoutTrailing } from '#server/lib/text/without-trailing.ts'
import { providerOf } from '#server/providers/index.ts'
import type { UpstreamCall, VendorRequest } from '#server/providers/provider.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { keyIn } from '#server/relay/request/caller.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { lookupTools, plainTarget } from '#server/relay/upstream/plain-target.ts'
import { queryForVendor } from '#server/relay/upstream/query-for-vendor.ts'
import { headersForVendor } from './passed-headers.ts'

/** A call and the channel it goes to. */
export interface Passed {
  readonly channel: RoutedChannel
  /** Below the channel's address, without the query. */
  readonly path: string
  readonly body: Uint8Array<ArrayBuffer>
}

/** The caller's call, below the channel's address and with the channel's credential. Redirects are answers like any other. */
export async function askVendorAsIs(
  context: RelayContext,
  inbound: InboundRequest,
  { channel, path, body }: Passed,
  signal: AbortSignal,
): Promise<Response> {
  const { method } = inbound.http
  const key = keyIn(inbound)
  const whole = `${path}${queryForVendor(inbound)}`
  const contentType = inbound.http.headers.get('content-type') ?? undefined
  const call = await vendorCall(context, inbound, channel, { method, path: whole, contentType, body })
  const headers = {
    ...headersForVendor(inbound.http.headers, key),
    ...lowerCase(channel.headers ?? {}),
    ...call.headers,
  }
  return fetchThrough(channel.proxy, context.ctx.fetch)(call.url, {
    method,
    headers,
    signal,
    redirect: 'manual',
    // Without the runtime's own timeout, retry and decompression.
    timeout: false,
    keepalive: false,
    decompress: false,
    ...(body.length > 0 && method !== 'GET' && method !== 'HEAD' ? { body } : {}),
  } as RequestInit)
}

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Headers by which vendors know who calls. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'])

async function vendorCall(
  context: RelayContext,
  inbound: InboundRequest,
  channel: RoutedChannel,
  request: VendorRequest,
): Promise<UpstreamCall> {
  const provider = providerOf(channel.type)
  const tools = lookupTools(context, channel, inbound)
  const target = plainTarget(channel, inbound, '', '')
  if (provider.pass) return provider.pass(target, request, tools)
  const { headers } = await provider.call(target, '', tools)
  const proofs = Object.entries(lowerCase(headers)).filter(([name]) => credentials.has(name))
  return { url: below(channel.baseUrl, request.path), headers: Object.fromEntries(proofs) }
}

/** Joins address and path; a version that ends the one and begins the other is written once. */
function below(base: string, path: string): string {
  const root = withoutTrailing(base, '/')
  const version = /\/v\d+[a-z\d]*$/i.exec(root)?.[0]
  return version !== undefined && path.startsWith(`${version}/`) ? root + path.slice(version.length) : root + path
}
