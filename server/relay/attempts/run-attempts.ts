import type { ChatFault } from '#server/dialects/chat.ts'
import type { Deliverable } from '#server/relay/answer/deliverable.ts'
import { cheapestGroup } from '#server/relay/metering/charges.ts'
import { RelayFault, refusal, refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { ClientGone, type RelayedRequest } from '#server/relay/relayed-request.ts'
import { blame } from '#server/relay/routing/blame.ts'
import { pickChannel } from '#server/relay/routing/pick-channel.ts'
import type { Plan } from '#server/relay/routing/plan.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { faultRecord } from '#server/relay/settlement/route-record.ts'
import { sendContext, targetOf, type UpstreamAnswer } from '#server/relay/upstream/send.ts'
import { attempt } from './attempt.ts'

export interface Found {
  readonly answer: UpstreamAnswer
  readonly deliverable: Deliverable
}

interface Failure {
  readonly fault: ChatFault
  readonly retryAfter: string | null
}

type AttemptOutcome = { readonly found: Found } | { readonly failure: Failure; readonly final: boolean }

/** Tries one channel after the other until one has an answer worth showing. */
export async function runAttempts(context: RelayContext, request: RelayedRequest, plan: Plan): Promise<Found> {
  const { ctx, breaker } = context
  const tried = new Set<number>()
  const attemptsMax = request.caller.pinnedChannelId === null ? ctx.options().RetryTimes + 1 : 1
  let last: Failure | null = null
  while (tried.size < attemptsMax) {
    const now = ctx.clock()
    const channel = pickChannel({
      candidates: plan.candidates,
      tried,
      resting: (id) => breaker.resting(id, now),
      random: Math.random,
    })
    if (!channel) break
    tried.add(channel.id)
    request.tried.push(channel.id)
    breaker.begin(channel.id, now)
    const outcome = await attemptThrough(context, request, plan, channel)
    if ('found' in outcome) return outcome.found
    last = outcome.failure
    if (outcome.final) break
  }
  if (!last) throw refuse('noChannel', { model: request.ask.model, reason: 'no channel is left to try' })
  request.fault = last.fault
  throw new RelayFault(presentable(last.fault), last.retryAfter ?? undefined)
}

async function attemptThrough(
  context: RelayContext,
  request: RelayedRequest,
  plan: Plan,
  channel: RoutedChannel,
): Promise<AttemptOutcome> {
  const { ctx } = context
  const { ask, caller, inbound } = request
  const span = request.trace?.attempt({ 'switchyard.channel': channel.id }, ctx.clock())
  const sentAt = ctx.clock()
  const sending = sendContext(context, channel, inbound.http.signal, span?.traceparent)
  const result = await attempt(sending, ask, targetOf(ask, channel, inbound))
  request.tries.push({
    channel: channel.id,
    duration_ms: Math.max(0, Math.round(ctx.clock() - sentAt)),
    fault: result.ok ? null : faultRecord(result.fault),
  })
  span?.end(ctx.clock(), result.ok ? undefined : String(result.fault.code ?? result.fault.status))
  if (!result.ok) {
    if (result.clientGone) throw new ClientGone()
    if (result.clientsFault) return { failure: result, final: true }
    if (result.cause)
      ctx.log.warn('an answer broke off before it could be shown', logged(request, channel, result.cause))
    return failed(context, request, channel, result)
  }
  const price = plan.priceThrough(channel)
  if (!price) throw refuse('modelUnpriced', { model: ask.model })
  context.health.succeeded(channel)
  request.firstByteAt = ctx.clock()
  const { reading } = result.answer
  const leftOut = (reading.kind === 'translated' && reading.request.leftOut) || []
  request.delivery = { channel, price, leftOut, ...cheapestGroup(context.prices(), caller.groups, channel.groups) }
  return { found: result }
}

const logged = (request: RelayedRequest, channel: RoutedChannel, cause: unknown) => ({
  request: request.id,
  channel: channel.id,
  cause,
})

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
  return { failure: { fault: failure.fault, retryAfter: failure.retryAfter }, final: !blame(failure.fault).retry }
}

/** The channel's credentials are not the client's business, and a 401 would make it doubt its own. */
const presentable = (fault: ChatFault): ChatFault =>
  blame(fault).disable
    ? {
        ...refusal('upstreamFailed'),
        message: 'The upstream refused the channel; the administrator has to look at it.',
      }
    : fault
