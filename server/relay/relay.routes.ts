import { isDatabaseGone } from '#server/db/database-gone.ts'
import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import type { ChatFault } from '#server/dialects/chat.ts'
import { BadRequest, type ClientDialect } from '#server/dialects/dialect.ts'
import { gemini } from '#server/dialects/gemini/gemini.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { timeOrderedId } from '#server/lib/random.ts'
import { ClientGone } from './attempts/try-channels.ts'
import { subscription, usage } from './lookups/billing-calls.ts'
import { countTokensCall } from './lookups/count-tokens.ts'
import { modelEntry, modelList, modelsFor } from './lookups/models.ts'
import { openHeaders, show } from './lookups/show.ts'
import { RelayFault, refusal, refuse } from './refusals.ts'
import { relay, requestIdHeaders } from './relay.ts'
import type { RelayParts } from './relay-context.ts'
import { decoded, enter } from './request/doors.ts'

export type RelayDoor = (request: Request, url: URL, clientAddress: () => string) => Promise<Response>

/** Paths that belong to the relay and not to the console. */
export const isRelayPath = (path: string): boolean =>
  path.startsWith('/v1/') || path.startsWith('/v1beta/') || path.startsWith('/dashboard/billing/')

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-expose-headers': 'x-request-id, request-id, retry-after',
  'access-control-max-age': '86400',
}

/** Everything clients of the relay may call; any error comes back in the dialect of the call. */
export function createRelayDoor(parts: RelayParts): RelayDoor {
  return async (request, url, clientAddress) => {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: cors })
    const id = timeOrderedId(parts.ctx.clock())
    try {
      return await serve(parts, request, url, clientAddress, id)
    } catch (error) {
      return failure(parts, error, dialectOf(request, url), id)
    }
  }
}

function serve(
  parts: RelayParts,
  request: Request,
  url: URL,
  clientAddress: () => string,
  id: string,
): Promise<Response> {
  if (request.method === 'POST') {
    const entrance = enter(url)
    if (entrance) return relay(parts, entrance, request, url, clientAddress, id)
    if (/(\/count_tokens|:countTokens)$/.test(url.pathname)) return countTokensCall(parts, request, url, clientAddress)
  }
  if (request.method === 'GET') return look(parts, request, url, clientAddress)
  throw refuse('notFound', { method: request.method, path: url.pathname })
}

/** What callers may read: models, and what they have left. */
async function look(
  { ctx, callers, routing }: RelayParts,
  request: Request,
  url: URL,
  clientAddress: () => string,
): Promise<Response> {
  const path = url.pathname.replace(/\/+$/, '').replace(/^\/v1\/dashboard/, '/dashboard')
  const models = /^\/v1(?:beta)?\/models(?:\/(.+))?$/.exec(path)
  if (!models && path !== '/dashboard/billing/subscription' && path !== '/dashboard/billing/usage') {
    throw refuse('notFound', { method: request.method, path: url.pathname })
  }
  const caller = await callers.identify(request, url, clientAddress)
  if (path.endsWith('/subscription')) return show(await subscription(ctx, caller))
  if (path.endsWith('/usage')) return show(await usage(ctx, caller))
  const ids = modelsFor(await routing.table(), caller)
  const shape = path.startsWith('/v1beta')
    ? 'gemini'
    : request.headers.has('anthropic-version')
      ? 'anthropic'
      : 'openai'
  const wanted = models?.[1] === undefined ? undefined : decoded(models[1])
  if (wanted === undefined) return show(modelList(ids, shape))
  if (!ids.includes(wanted)) throw refuse('modelUnknown', { model: wanted })
  return show(modelEntry(wanted, shape))
}

function dialectOf(request: Request, url: URL): ClientDialect {
  const entrance = enter(url)
  if (entrance) return entrance.door.dialect
  if (url.pathname.startsWith('/v1beta/')) return gemini
  if (url.pathname.startsWith('/v1/messages') || request.headers.has('anthropic-version')) return anthropicMessages
  return openaiChat
}

function failure({ ctx, errors }: RelayParts, error: unknown, dialect: ClientDialect, id: string): Response {
  const fault = faultOf(error)
  errors.set(fault.status, (errors.get(fault.status) ?? 0) + 1)
  if (fault.status >= 500 && !(error instanceof RelayFault)) {
    ctx.log.error('a relayed request failed', { request: id, cause: error })
  }
  const headers = new Headers({ ...requestIdHeaders(id), ...openHeaders })
  if (error instanceof RelayFault && error.retryAfter) headers.set('retry-after', error.retryAfter)
  return Response.json(dialect.encodeError(fault, id), { status: fault.status, headers })
}

/** Nobody reads it; it keeps those who left apart from what failed. */
const left: ChatFault = {
  status: 499,
  type: 'client_error',
  code: 'client_closed_request',
  message: 'The client left.',
}

function faultOf(error: unknown): ChatFault {
  if (error instanceof RelayFault) return error.fault
  if (error instanceof ClientGone) return left
  if (error instanceof BadRequest)
    return { status: 400, type: 'invalid_request_error', code: 'invalid_request', message: error.message }
  if (isDatabaseGone(error)) return refusal('unavailable')
  return refusal('internal')
}
