import { RowsLocked } from '#server/billing/ledger/rows-locked.ts'
import { isDatabaseGone } from '#server/db/database-gone.ts'
import { gemini } from '#server/dialects/gemini/gemini.ts'
import type { ClientConnection } from '#server/http/listen.ts'
import { inStep } from '#server/lib/in-step.ts'
import { timeOrderedId } from '#server/lib/random.ts'
import { anthropicBatchRoutes } from './batches/anthropic-batches.routes.ts'
import { geminiBatchRoutes } from './batches/gemini-batches.routes.ts'
import { openaiBatchRoutes } from './batches/openai-batches.routes.ts'
import { openHeaders, requestIdHeaders } from './delivery/answer-headers.ts'
import { errorFault } from './error-fault.ts'
import { fileRoutes } from './files/files.routes.ts'
import { geminiFileRoutes } from './files/gemini-files.routes.ts'
import { geminiUploadRoutes } from './files/gemini-uploads.routes.ts'
import { uploadRoutes } from './files/uploads.routes.ts'
import { admitCall } from './limits/admit-call.ts'
import { countingRoutes } from './lookups/count-tokens.ts'
import { lookupRoutes } from './lookups/look.ts'
import { noteRefusal } from './observers/note-refusal.ts'
import { isPassage, passToVendor } from './passage/pass-to-vendor.ts'
import { isLive, serveLive } from './realtime/gemini-live.ts'
import { isRealtime, serveRealtime } from './realtime/openai-realtime.ts'
import { RelayFault } from './refusals.ts'
import { relay } from './relay.ts'
import type { RelayContext } from './relay-context.ts'
import { BodyPlace } from './request/body-place.ts'
import { dialectOf, doorAddresses, findEntrance } from './request/doors.ts'
import type { InboundRequest } from './request/inbound-request.ts'
import { match, type RelayRoute } from './request/relay-route.ts'
import { type KnownAddress, unknownAddress } from './request/unknown-address.ts'
import { endCall } from './settlement/admit-body.ts'
import { cacheRoutes } from './stored/caches.routes.ts'
import { conversationRoutes } from './stored/conversations.routes.ts'
import { responseRoutes } from './stored/responses.routes.ts'
import { operationRoutes } from './videos/operations.routes.ts'
import { videoRoutes } from './videos/videos.routes.ts'

export type RelayDoor = (
  request: Request,
  url: URL,
  clientAddress: () => string,
  connection: ClientConnection,
) => Promise<Response>

const cors = {
  ...openHeaders,
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  // A star stands for every header but this one.
  'access-control-allow-headers': 'authorization, *',
  'access-control-max-age': '86400',
}

/** Everything clients of the relay may call; any error comes back in the dialect of the request. */
export function createRelayDoor(context: RelayContext): RelayDoor {
  return async (http, url, clientAddress, connection) => {
    if (http.method === 'OPTIONS') return new Response(null, { status: 204, headers: cors })
    const startedAt = context.ctx.clock()
    if (context.isBusy()) await inStep()
    const place = new BodyPlace(context.bodies)
    const id = timeOrderedId(startedAt)
    const inbound: InboundRequest = { id, startedAt, http, url, clientAddress, connection, place }
    try {
      return await serve(context, inbound)
    } catch (error) {
      return failure(context, inbound, error)
    } finally {
      endCall(context, inbound)
    }
  }
}

/** Every route beside the doors. */
export const routes: readonly RelayRoute[] = [
  ...operationRoutes,
  ...videoRoutes,
  ...lookupRoutes,
  ...countingRoutes,
  ...responseRoutes,
  ...conversationRoutes,
  ...cacheRoutes,
  ...fileRoutes,
  ...uploadRoutes,
  ...geminiFileRoutes,
  ...geminiUploadRoutes,
  ...openaiBatchRoutes,
  ...anthropicBatchRoutes,
  ...geminiBatchRoutes,
]

/** Everything clients may call, except sessions over sockets and requests that are passed to a vendor unchanged. */
export const addresses: readonly KnownAddress[] = [...doorAddresses, ...routes]

/** The methods of Google's API on a model; no model's name ends like this. */
const modelMethods = addresses.flatMap(({ path }) => /\{model\}(:\w+)$/.exec(path)?.[1] ?? [])
const isModel = (path: string): boolean => !modelMethods.some((method) => path.endsWith(method))

const fits = ({ path }: KnownAddress, asked: string): boolean => {
  // An unknown method is not part of a model's name.
  if (path.endsWith('/models/{model}') && /:\w+$/.test(asked)) return false
  return match({ path }, asked) !== null
}

function serve(context: RelayContext, inbound: InboundRequest): Promise<Response> {
  const { http, url } = inbound
  if (isPassage(url)) return passToVendor(context, inbound)
  if (http.method === 'GET' && isRealtime(url)) return serveRealtime(context, inbound)
  if (http.method === 'GET' && isLive(url)) return serveLive(context, inbound)
  const entrance = http.method === 'POST' ? findEntrance(url) : null
  if (entrance) return relay(context, inbound, entrance)
  const method = http.method === 'HEAD' ? 'GET' : http.method
  const found = routes.flatMap((route) => {
    const params = route.method === method ? match(route, url.pathname) : null
    if (params && route.path.endsWith('/models/{model}') && !isModel(url.pathname)) return []
    return params ? [{ route, params }] : []
  })
  // Under /v1 Google's clients have things of the same names.
  const isGoogles = found.length > 1 && dialectOf(inbound) === gemini
  const one = found.find(({ route }) => route.path.startsWith('/v1beta/') === isGoogles) ?? found[0]
  if (one) return serveRoute(context, inbound, one)
  throw unknownAddress(http.method, url.pathname, addresses, fits)
}

interface Found {
  readonly route: RelayRoute
  readonly params: NonNullable<ReturnType<typeof match>>
}

/** Clients show the number of every request, not of relayed ones alone. */
async function serveRoute(context: RelayContext, inbound: InboundRequest, { route, params }: Found): Promise<Response> {
  const left = await admitCall(context, inbound, route.admission)
  const answer = await route.serve(context, inbound, params)
  const more = { ...left, ...requestIdHeaders(inbound.id) }
  for (const [name, value] of Object.entries(more)) answer.headers.set(name, value)
  return answer
}

function failure(context: RelayContext, inbound: InboundRequest, error: unknown): Response {
  const { ctx, errors } = context
  const { id } = inbound
  const fault = errorFault(error)
  noteRefusal(context, inbound, error)
  errors.set(fault.status, (errors.get(fault.status) ?? 0) + 1)
  if (isDatabaseGone(error)) ctx.reportGone(error, { request: id })
  else if (fault.status >= 500 && !(error instanceof RelayFault || error instanceof RowsLocked)) {
    ctx.log.error('a relayed request failed', { request: id, cause: error })
  }
  const own = error instanceof RelayFault ? error.headers : {}
  const headers = new Headers({ ...requestIdHeaders(id), ...openHeaders, ...own })
  const retryAfter = error instanceof RelayFault ? error.retryAfter : undefined
  if (retryAfter || fault.status === 503) headers.set('retry-after', retryAfter ?? soon)
  return Response.json(dialectOf(inbound).encodeError(fault, id), { status: fault.status, headers })
}

/** `Retry-After` of a node that cannot serve, in seconds. */
const soon = '2'
