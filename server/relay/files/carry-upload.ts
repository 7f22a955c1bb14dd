import type { UpstreamCall } from '#server/providers/provider.ts'
import { ClientGone } from '#server/relay/client-gone.ts'
import { type RelayFault, refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { streamVendor } from '#server/relay/upstream/vendor-stream.ts'

/** No vendor takes larger files in one request. */
export const uploadBytesMax = 512 * 1024 * 1024

/** How often the connection is told that bytes came. */
const tellMs = 1000

/** How long a vendor may take to say what it made of a file it has whole. */
const answersWithinMs = 120_000

/** A body that is sent on while it comes: never more of it is in memory than a few pieces. */
export interface Arriving {
  /** Its beginning, read already. */
  readonly first: Uint8Array
  readonly rest: ReadableStreamDefaultReader<Uint8Array> | null
}

/** Refuses what need not be read, and reads the first piece. */
export async function beginUpload({ http }: InboundRequest): Promise<Arriving> {
  const encoding = http.headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity') throw refuse('uploadEncoded', { encoding: encoding.slice(0, 40) })
  if (Number(http.headers.get('content-length') ?? 0) > uploadBytesMax) throw refuse('tooLarge')
  const reader = http.body?.getReader() ?? null
  const piece = await reader?.read().catch(() => {
    throw new ClientGone()
  })
  return { first: piece?.value ?? new Uint8Array(), rest: piece?.done ? null : reader }
}

/** Sends a body on as it comes. What breaks off on either side ends both, and nothing of it is remembered. */
export async function carryUpload(
  context: RelayContext,
  inbound: InboundRequest,
  { channel, call }: { readonly channel: RoutedChannel; readonly call: UpstreamCall },
  { first, rest }: Arriving,
): Promise<Response> {
  const { http, connection } = inbound
  let size = 0
  let fault: RelayFault | ClientGone | null = null
  let told = performance.now()
  const late = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const take = (piece: Uint8Array): Uint8Array => {
    size += piece.byteLength
    if (size > uploadBytesMax) throw refuse('tooLarge')
    if (performance.now() - told > tellMs) {
      told = performance.now()
      connection.bodyArrives()
    }
    return piece
  }
  const body = new ReadableStream<Uint8Array>({
    start(to) {
      if (first.byteLength > 0) to.enqueue(take(first))
    },
    async pull(to) {
      try {
        const piece = (await rest?.read().catch(() => {
          throw new ClientGone()
        })) ?? { done: true as const, value: undefined }
        if (!piece.done) return to.enqueue(take(piece.value))
        connection.answering()
        timer = setTimeout(() => late.abort(), answersWithinMs)
        to.close()
      } catch (error) {
        fault = error as RelayFault | ClientGone
        to.error(error)
      }
    },
  })
  const length = http.headers.get('content-length')
  const type = http.headers.get('content-type')
  const headers = {
    ...call.headers,
    ...(type === null ? {} : { 'content-type': type }),
    ...(length === null ? {} : { 'content-length': length }),
  }
  connection.bodyArrives()
  const gone = AbortSignal.any([http.signal, late.signal])
  try {
    return await streamVendor(context, channel, { method: 'POST', call: { ...call, headers }, body }, gone)
  } catch (error) {
    if (fault) throw fault
    if (late.signal.aborted) throw refuse('upstreamTimeout')
    if (http.signal.aborted) throw new ClientGone()
    throw error
  } finally {
    clearTimeout(timer)
    connection.answering()
  }
}
