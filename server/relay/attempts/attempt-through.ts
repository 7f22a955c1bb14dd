import type { ChatFault } from '#server/dialects/chat.ts'
import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import type { Deliverable } from '#server/relay/answer/deliverable.ts'
import { ClientGone } from '#server/relay/client-gone.ts'
import { type AskedExtras, noExtras } from '#server/relay/metering/asked-extras.ts'
import { boundOf } from '#server/relay/metering/ceiling.ts'
import type { Offer } from '#server/relay/metering/offer.ts'
import { requirePurse } from '#server/relay/metering/purse.ts'
import { isReadToEnd } from '#server/relay/metering/read-to-end.ts'
import { refusal, refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RelayedRequest } from '#server/relay/relayed-request.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import { consequencesOf } from '#server/relay/routing/fault-consequences.ts'
import type { Plan } from '#server/relay/routing/plan.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { faultRecord } from '#server/relay/settlement/route-record.ts'
import { takeTurn } from '#server/relay/upstream/key-turn.ts'
import type { Reading } from '#server/relay/upstream/outgoing.ts'
import { sendContext, targetOf } from '#server/relay/upstream/send.ts'
import type { UpstreamAnswer } from '#server/relay/upstream/upstream-answer.ts'
import type { Attempt } from './attempt.ts'
import { attemptByApi } from './attempt-by-api.ts'

export interface FoundAnswer {
  readonly answer: UpstreamAnswer
  readonly deliverable: Deliverable
}

export interface Failure {
  readonly fault: ChatFault
  readonly retryAfter: string | null
}

export type AttemptOutcome = { readonly found: FoundAnswer } | { readonly failure: Failure; readonly final: boolean }

/** A channel, and its price for the model. */
export interface Through {
  readonly offer: Offer
  readonly channel: RoutedChannel
  readonly begunAt: number
}

/** Prices the request through the channel and registers the attempt with its breaker. */
export function beginAttempt({ ctx, breaker }: RelayContext, ask: Ask, plan: Plan, channel: RoutedChannel): Through {
  const offer = plan.offerThrough(channel)
  if (!offer) throw refuse('modelUnpriced', { model: ask.model })
  const begunAt = ctx.clock()
  breaker.begin(channel.id, begunAt)
  return { offer, channel, begunAt }
}

/** Tries one channel: with its key, or with the keys of its pool one after the other while the key is at fault. */
export const attemptThrough = (context: RelayContext, request: RelayedRequest, through: Through): Promise<Attempt> =>
  through.channel.keys.length < 2
    ? attemptWithKey(context, request, through)
    : attemptThroughPool(context, request, through)

async function attemptThroughPool(context: RelayContext, request: RelayedRequest, through: Through): Promise<Attempt> {
  const { channel } = through
  const turn = takeTurn(context, channel)
  let result: Attempt | null = null
  for (let key = turn.next(); key !== null; key = turn.next()) {
    result = await attemptWithKey(context, request, { ...through, channel: { ...channel, key } })
    if (result.ok) turn.succeeded()
    if (result.ok || result.clientGone || result.clientsFault || !turn.failed(result)) break
  }
  if (!result) throw refuse('noChannel', { model: request.ask.model, reason: 'no key of the channel is left to try' })
  return result
}

async function attemptWithKey(
  context: RelayContext,
  request: RelayedRequest,
  { offer, channel }: Through,
): Promise<Attempt> {
  const { ctx } = context
  const { ask, inbound } = request
  const span = request.trace?.attempt({ 'switchyard.channel': channel.id }, ctx.clock())
  const sentAt = ctx.clock()
  let unpaid: unknown = null
  const sending = sendContext(context, channel, inbound.http.signal, {
    lingersMs: ctx.config.ABANDONED_TIMEOUT * 1000,
    timeoutMs: ask.inBackground && backgroundMs,
    traceparent: span?.traceparent,
    files: request,
    mayFetch: async () => {
      // A request that costs nothing holds nothing; fetching for it costs the node all the same.
      if (request.reserve > 0) return
      await requirePurse(context, request.caller).catch((error) => {
        unpaid = error
        throw error
      })
    },
  })
  const bound = boundOf(offer, request.measured, request)
  const target = targetOf(ask, channel, inbound, bound)
  const result = await attemptByApi(context, sending, ask, { channel, target })
  if (unpaid) throw unpaid
  const now = ctx.clock()
  request.tries.push({
    channel: channel.id,
    duration_ms: Math.max(0, Math.round(now - sentAt)),
    fault: result.ok ? null : faultRecord(result.fault, channel.mapping.get(ask.model)),
  })
  if (result.ok) context.latencies.answered(channel.id, Math.max(0, now - sentAt), now)
  span?.end(now, result.ok ? undefined : String(result.fault.code ?? result.fault.status))
  return result
}

/** Reports the result of an attempt to the channel's health, and sets up the delivery when it succeeded. */
export function concludeAttempt(
  context: RelayContext,
  request: RelayedRequest,
  { offer, channel, begunAt }: Through,
  result: Attempt,
): AttemptOutcome {
  const { ctx } = context
  if (!result.ok) {
    if (result.clientGone) throw new ClientGone()
    if (result.clientsFault) return { failure: result, final: true }
    if (result.unwritten) {
      ctx.log.error('a request could not be written', logged(request, channel, result.unwritten.cause))
      // Nothing was sent, so a channel of another dialect may still be tried.
      return { failure: { fault: result.fault, retryAfter: null }, final: false }
    }
    if (result.cause)
      ctx.log.warn('an answer broke off before it could be shown', logged(request, channel, result.cause))
    return failed(context, request, channel, result)
  }
  context.health.succeeded(channel, begunAt)
  request.firstByteAt = ctx.clock()
  request.fetched = null
  const { reading } = result.answer
  const leftOut = (reading.kind === 'translated' && reading.request.leftOut) || nothingLeftOut
  const { price, surcharges, group, groupRatio } = offer
  const readToEnd = isReadToEnd(offer, request.measured)
  const asked = sentBeside(request.measured.extras, reading)
  request.delivery = {
    asked,
    channel,
    price,
    surcharges,
    leftOut,
    readToEnd,
    group,
    groupRatio,
  }
  return { found: result }
}

/** What was asked for beside tokens and reached the vendor: a translation to responses keeps how to be served. */
function sentBeside(extras: AskedExtras, reading: Reading): AskedExtras {
  if (reading.kind !== 'translated') return extras
  const isKept = extras.tier !== null && reading.upstream.id === openaiResponses.id
  return isKept ? { ...noExtras, tier: extras.tier } : noExtras
}

const nothingLeftOut: readonly string[] = []

const logged = (request: RelayedRequest, channel: RoutedChannel, cause: unknown) => ({
  request: request.id,
  channel: channel.id,
  cause,
})

/** How long a vendor may work on what nobody waits for. */
const backgroundMs = 24 * 60 * 60_000

/** An answer that never came, or broke off. */
const lostCodes: ReadonlySet<string | undefined> = new Set(
  (['upstreamTimeout', 'streamCut', 'streamStalled'] as const).map((name) => refusal(name).code),
)

/** Hours of work are not asked for a second time while the first vendor may have done them. */
const mayHaveBegun = ({ inBackground }: Ask, { code }: ChatFault): boolean =>
  inBackground !== undefined && lostCodes.has(code)

function failed(
  context: RelayContext,
  request: RelayedRequest,
  channel: RoutedChannel,
  failure: Failure,
): AttemptOutcome {
  const { status, code, message } = failure.fault
  context.ctx.log.info('a channel failed', {
    request: request.id,
    channel: channel.id,
    status,
    reason: code,
    said: message,
  })
  context.health.failed(channel, failure.fault, failure.retryAfter)
  return {
    failure: { fault: failure.fault, retryAfter: failure.retryAfter },
    final: !consequencesOf(failure.fault).retry || mayHaveBegun(request.ask, failure.fault),
  }
}
