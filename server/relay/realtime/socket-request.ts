import { requestIdHeaders } from '#server/relay/delivery/answer-headers.ts'
import { refuse } from '#server/relay/refusals.ts'
import { type InboundRequest, wantsSocket } from '#server/relay/request/inbound-request.ts'

/** Subprotocols the client offers, its key among them or not. */
const offeredProtocols = ({ http }: Pick<InboundRequest, 'http'>): string[] =>
  (http.headers.get('sec-websocket-protocol') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** The request as it can still be read once its connection is a socket. Pages ask for the older format by a subprotocol. */
export function lasting(inbound: InboundRequest): InboundRequest {
  const headers = new Headers([...inbound.http.headers])
  const address = inbound.clientAddress()
  if (offeredProtocols(inbound).includes('openai-beta.realtime-v1')) headers.set('openai-beta', 'realtime=v1')
  return { ...inbound, http: new Request(inbound.http.url, { headers }), clientAddress: () => address }
}

/** Headers of the answer that opens the socket. A browser insists on one of the protocols it offered; keys are never said back. */
export function openingHeaders(inbound: InboundRequest): Record<string, string> {
  const chosen = offeredProtocols(inbound).find((name) => !name.includes('.'))
  return { ...requestIdHeaders(inbound.id), ...(chosen ? { 'sec-websocket-protocol': chosen } : {}) }
}

export function requireSocket(inbound: InboundRequest): void {
  if (!wantsSocket(inbound)) throw refuse('socketOnly')
}
