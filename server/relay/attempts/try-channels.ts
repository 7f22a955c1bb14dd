import type { ChatFault } from '#server/dialects/chat.ts'
import type { Deliverable } from '#server/relay/answer/deliverable.ts'
import { groupRatioFor } from '#server/relay/metering/charges.ts'
import { RelayFault, refusal, refuse } from '#server/relay/refusals.ts'
import type { RelayParts } from '#server/relay/relay-context.ts'
import type { RelayedRequest } from '#server/relay/relayed-request.ts'
import { blame } from '#server/relay/routing/blame.ts'
import { pickChannel } from '#server/relay/routing/pick-channel.ts'
import type { Plan } from '#server/relay/routing/plan.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { attemptContext, targetOf, type UpstreamAnswer } from '#server/relay/upstream/attempt.ts'
import { exchange } from './exchange.ts'

export interface Found {
  readonly answer: UpstreamAnswer
  readonly deliverable: Deliverable
}

/** The client left before anything could be delivered. */
export class ClientGone extends Error {}

interface Failure {
  readonly fault: ChatFault
  readonly retryAfter: string | null
}

type Outcome = { readonly found: Found } | { readonly failure: Failure; readonly final: boolean }

/** Tries one channel after the other until one has an answer worth showing. */
export async function tryChannels(
  parts: RelayParts,
  request: RelayedRequest,
  plan: Plan,
  http: Request,
  url: URL,
): Promise<Found> {
  const { ctx, breaker } = parts
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
    const outcome = await tryOne(parts, request, plan, channel, http, url)
    if ('found' in outcome) return outcome.found
    last = outcome.failure
    if (outcome.final) break
  }
  if (!last) throw refuse('noChannel', { model: request.ask.model, reason: 'no channel is left to try' })
  request.fault = last.fault
  throw new RelayFault(presentable(last.fault), last.retryAfter ?? undefined)
}

async function tryOne(
  parts: RelayParts,
  request: RelayedRequest,
  plan: Plan,
  channel: RoutedChannel,
  http: Request,
  url: URL,
): Promise<Outcome> {
  const { ctx } = parts
  const { ask, caller } = request
  const span = request.trace?.attempt({ 'switchyard.channel': channel.id }, ctx.clock())
  const context = attemptContext(parts, http.signal, span?.traceparent)
  const result = await exchange(context, ask, targetOf(ask, channel, http, url))
  span?.end(ctx.clock(), result.ok ? undefined : String(result.fault.code ?? result.fault.status))
  if (!result.ok) {
    if (result.clientGone) throw new ClientGone()
    if (result.clientsFault) return { failure: result, final: true }
    if (result.cause)
      ctx.log.warn('an answer broke off before it could be shown', logged(request, channel, result.cause))
    return failed(parts, request, channel, result)
  }
  const price = plan.priceThrough(channel)
  if (!price) throw refuse('modelUnpriced', { model: ask.model })
  parts.health.succeeded(channel)
  request.firstByteAt = ctx.clock()
  request.delivery = { channel, price, groupRatio: groupRatioFor(parts.prices(), caller.groups, channel.groups) }
  return { found: result }
}

const logged = (request: RelayedRequest, channel: RoutedChannel, cause: unknown) => ({
  request: request.id,
  channel: channel.id,
  cause,
})

function failed(parts: RelayParts, request: RelayedRequest, channel: RoutedChannel, failure: Failure): Outcome {
  const { status, code, message } = failure.fault
  parts.ctx.log.info('a channel failed', {
    request: request.id,
    channel: channel.id,
    status,
    reason: code,
    said: message,
  })
  parts.health.failed(channel, failure.fault, failure.retryAfter)
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
