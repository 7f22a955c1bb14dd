import type { HoldResult } from '#server/billing/ledger/ledger.ts'
import { inOnePiece } from '#server/lib/streams/one-piece.ts'
import { ClientGone, type Found, tryChannels } from './attempts/try-channels.ts'
import { conveyBytes, conveyFrames } from './delivery/convey.ts'
import { ceilingOf } from './metering/ceiling.ts'
import { refuse } from './refusals.ts'
import type { RelayParts } from './relay-context.ts'
import type { RelayedRequest } from './relayed-request.ts'
import { type Ask, readAsk } from './request/ask.ts'
import type { Caller } from './request/caller.ts'
import type { Entrance } from './request/doors.ts'
import { type Plan, planRequest } from './routing/plan.ts'
import { free, settle, settleLater, settleSurely } from './settlement/settle.ts'

/** A relayed request from first byte to last: who, how much at most, through whom, how much in the end. */
export async function relay(
  parts: RelayParts,
  entrance: Entrance,
  http: Request,
  url: URL,
  clientAddress: () => string,
  id: string,
): Promise<Response> {
  const startedAt = parts.ctx.clock()
  const trace = parts.tracer?.begin(http.headers, startedAt) ?? null
  const caller = await parts.callers.identify(http, url, clientAddress)
  const ask = await readAsk(entrance, http)
  const plan = planRequest(await parts.routing.table(), parts.prices(), caller, ask)
  const request = await reserve(parts, caller, ask, plan, { id, startedAt, trace })
  try {
    const found = await tryChannels(parts, request, plan, http, url)
    return await deliver(parts, request, found, http.signal)
  } catch (error) {
    const outcome = error instanceof ClientGone ? 'cut' : 'failed'
    if (!request.closed) await settleSurely(parts, request, { outcome, consumption: free })
    throw error
  }
}

/** Holds the most the request may cost, or refuses it. */
async function reserve(
  parts: RelayParts,
  caller: Caller,
  ask: Ask,
  plan: Plan,
  { id, startedAt, trace }: Pick<RelayedRequest, 'id' | 'startedAt' | 'trace'>,
): Promise<RelayedRequest> {
  const { ctx } = parts
  const { least, wanted } = ceilingOf(ask, plan.price, parts.prices(), caller, ctx.options().PreConsumedQuota)
  const request: RelayedRequest = {
    id,
    startedAt,
    caller,
    ask,
    tried: [],
    delivery: null,
    firstByteAt: 0,
    fault: null,
    trace,
    closed: false,
  }
  const { userId, tokenId } = caller
  let held: HoldResult
  try {
    held = await ctx.ledger.reserve({ id, userId, tokenId, least, wanted, at: Math.floor(startedAt / 1000) })
  } catch (error) {
    // The commit may have happened all the same.
    settleLater(parts, request, { outcome: 'failed', consumption: free })
    throw error
  }
  if (!held.ok) {
    if (held.lacking === 'token' && held.available <= 0) await parts.callers.exhausted(caller)
    throw refuse(held.lacking === 'token' ? 'tokenExhausted' : 'userExhausted', {
      name: caller.tokenName,
      available: held.available,
      needed: least,
    })
  }
  return request
}

/** The number of a request, where OpenAI's clients look for it and where Anthropic's do. */
export const requestIdHeaders = (id: string) => ({ 'x-request-id': id, 'request-id': id })

const streamHeaders = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }

/** Shows the answer. What is complete in memory is paid first; a stream is paid before its last frame. */
async function deliver(
  parts: RelayParts,
  request: RelayedRequest,
  { answer, deliverable }: Found,
  gone: AbortSignal,
): Promise<Response> {
  if (gone.aborted) {
    answer.silence.stop()
    throw new ClientGone()
  }
  const headers = {
    'content-type': deliverable.contentType,
    ...requestIdHeaders(request.id),
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  }
  if (deliverable.kind === 'whole') {
    const consumption = await deliverable.consumption(parts.ctx.options().ApproximateTokenEnabled)
    request.closed = true
    await settle(parts, request, { outcome: 'done', consumption }).catch((error) => {
      // What could not be paid is not shown.
      settleLater(parts, request, { outcome: 'failed', consumption: free })
      throw error
    })
    return new Response(inOnePiece(deliverable.body), { headers })
  }
  request.closed = true
  const body =
    deliverable.kind === 'frames'
      ? conveyFrames(parts, request, answer, deliverable, gone)
      : conveyBytes(parts, request, answer, deliverable, gone)
  return new Response(body, { headers: { ...headers, ...streamHeaders } })
}
