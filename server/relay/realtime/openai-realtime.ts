import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { Door } from '#server/relay/request/doors.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { openSession } from './open-session.ts'
import { createOpenaiMeter } from './openai-meter.ts'
import { runSession } from './run-session.ts'
import { lasting, openingHeaders, requireSocket } from './socket-request.ts'

export const isRealtime = (url: URL): boolean => url.pathname === '/v1/realtime'

const door: Door = { operation: 'realtime', dialect: openaiChat, payload: 'json' }

/** Vendors read names whatever their case, and some with brackets: only plain ones pass. */
const plainName = /^[a-z][a-z\d_]*$/

/** Fields of the query that concern the relay, or that the vendor's address has of its own. */
const notPassed: ReadonlySet<string> = new Set(['model', 'deployment', 'key', 'api_key'])

const isPassed = (name: string): boolean => plainName.test(name) && !notPassed.has(name)

/** OpenAI's realtime sessions. Refusals are sent before the socket is opened. */
export async function serveRealtime(context: RelayContext, http: InboundRequest): Promise<Response> {
  requireSocket(http)
  const inbound = lasting(http)
  const caller = await context.callers.identify(inbound)
  const { searchParams } = inbound.url
  const model = searchParams.get('model') || searchParams.get('deployment')
  if (!model) throw refuse('modelMissing')
  // A call id belongs to a phone call that cannot have begun through the relay.
  const call = searchParams.get('call_id')
  if (call !== null) throw refuse('stateUnknown', { param: 'call_id', id: call.slice(0, 100) })
  const session = await openSession(context, inbound, caller, {
    door,
    model,
    query: (upstreamModel) =>
      new URLSearchParams([['model', upstreamModel], ...[...searchParams].filter(([name]) => isPassed(name))]),
  })
  const { request, offer } = session
  const meter = createOpenaiMeter({
    asked: request.ask.model,
    upstream: offer.model,
    mayTranscribe: (name) => mayUse(context, caller, name),
  })
  const handler = runSession(context, session, meter)
  if (!http.connection.upgrade(handler, openingHeaders(inbound))) {
    handler.closed(1006, '')
    throw refuse('socketOnly')
  }
  return new Response(null)
}

const mayUse = ({ prices }: RelayContext, { models }: Caller, model: string): boolean =>
  (models === null || models.has(model)) && prices().priceOf(model) !== null
