import type { UpstreamCall } from '#server/providers/provider.ts'
import { ClientGone } from '#server/relay/client-gone.ts'
import { type RelayFault, refuse, refuseSize } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { streamVendor } from '#server/relay/upstream/vendor-stream.ts'
import { withKeys } from '#server/relay/upstream/with-keys.ts'
import { type Arriving, arrivingPieces } from './arriving.ts'

/** No vendor takes larger files in one request. */
export const uploadBytesMax = 512 * 1024 * 1024

/** How often the connection learns that bytes came. */
const noticeMs = 1000

/** How long a vendor may take to answer after it has received the whole file. */
const answersWithinMs = 120_000

/** Refuses a body that is too large before it is read; otherwise reads the first piece. */
export async function beginUpload({ http }: InboundRequest): Promise<Arriving> {
  const encoding = http.headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity') throw refuse('uploadEncoded', { encoding: encoding.slice(0, 40) })
  if (Number(http.headers.get('content-length') ?? 0) > uploadBytesMax) throw refuseSize(uploadBytesMax)
  return arrivingPieces(http.body?.getReader() ?? null)
}

/** The same with the keys of a pool one after the other, as long as all that came can be sent again. */
export async function carryWithKeys(
  context: RelayContext,
  inbound: InboundRequest,
  { channel, callFor }: { readonly channel: RoutedChannel; callFor(channel: RoutedChannel): UpstreamCall },
  arriving: Arriving,
): Promise<{ readonly channel: RoutedChannel; readonly answer: Response }> {
  const carry = async (through: RoutedChannel) =>
    carryUpload(context, inbound, { channel: through, call: callFor(through) }, arriving)
  return withKeys(context, channel, carry, arriving.isWhole)
}

/** Sends a body on as it comes. What breaks off on either side ends both, and nothing of it is remembered. */
export async function carryUpload(
  context: RelayContext,
  inbound: InboundRequest,
  { channel, call }: { readonly channel: RoutedChannel; readonly call: UpstreamCall },
  arriving: Arriving,
): Promise<Response> {
  const { http, connection } = inbound
  let size = 0
  let fault: RelayFault | ClientGone | null = null
  let noticed = performance.now()
  const late = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const take = (piece: Uint8Array): Uint8Array => {
    size += piece.byteLength
    if (size > uploadBytesMax) throw refuseSize(uploadBytesMax)
    if (performance.now() - noticed > noticeMs) {
      noticed = performance.now()
      connection.bodyArrives()
    }
    return piece
  }
  const next = arriving.fromTheStart()
  const body = new ReadableStream<Uint8Array>({
    async pull(to) {
      try {
        const piece = await next()
        if (piece) return to.enqueue(take(piece))
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
