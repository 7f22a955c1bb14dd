import type { HoldResult } from '#server/billing/ledger/ledger.ts'
import { type LimitAdmission, type LimitRequest, limitKey } from '#server/billing/limits/limit-check.ts'
import { estimatedTokens, limitsOf } from '#server/relay/limits/caller-limits.ts'
import { refuseForLimit } from '#server/relay/limits/refuse-limit.ts'
import { dearestCeiling } from '#server/relay/metering/ceiling.ts'
import { refuseForLack } from '#server/relay/metering/lack.ts'
import { measure } from '#server/relay/metering/measure.ts'
import type { Ceiling, Offer } from '#server/relay/metering/offer.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { newRelayedRequest, type RelayedRequest } from '#server/relay/relayed-request.ts'
import type { Plan } from '#server/relay/routing/plan.ts'
import type { Route } from '#server/relay/routing/plan-route.ts'
import { free, settleLater } from './settle.ts'

/** Holds the most the request may cost, or refuses it. */
export async function reserve(
  context: RelayContext,
  plan: Plan,
  known: Pick<RelayedRequest, 'inbound' | 'caller' | 'ask' | 'trace'>,
): Promise<RelayedRequest> {
  const measuring = measure(known.ask, plan.extras)
  const request = newRelayedRequest(known, measuring instanceof Promise ? await measuring : measuring)
  request.estimate = estimatedTokens(request.measured)
  const { ctx } = context
  const counting = { now: request.startedAt, tokens: request.estimate }
  await hold(context, request, plan, limitsOf(request.caller, ctx.options().GroupLimits, counting))
  return request
}

/** Gives back what is held and holds anew what another model may cost. After a refusal the request goes on with nothing held. */
export async function moveHold(context: RelayContext, request: RelayedRequest, route: Route): Promise<void> {
  const { ledger, clock } = context.ctx
  const admittedAt = Math.floor(request.startedAt / 1000)
  const at = Math.floor(clock() / 1000)
  const nothing = { charge: 0, channelId: 0, counts: false, log: null, at, admittedAt, corrections: [] }
  await ledger.settle({ id: request.holdId, ...partyOf(request), ...nothing })
  request.holdId = `${request.id}.${request.tries.length}`
  request.ask = route.ask
  request.measured = await measure(route.ask, route.plan.extras)
  try {
    await hold(context, request, route.plan, null)
  } catch (error) {
    if (!request.closed) {
      await ledger.reserve({
        id: request.holdId,
        ...partyOf(request),
        least: 0,
        wanted: 0,
        at: admittedAt,
        limits: null,
      })
    }
    throw error
  }
}

/** Whose purses a request spends from. */
const partyOf = ({ caller: { userId, tokenId, teamId, memberId } }: RelayedRequest) => ({
  userId,
  tokenId,
  teamId,
  memberId,
})

/** Limits count a request once, however often its hold is moved. */
function hold(context: RelayContext, request: RelayedRequest, plan: Plan, limits: LimitRequest | null): Promise<void> {
  const { measured } = request
  const ceiling = dearestCeiling(offersOf(plan), measured, context.ctx.options().PreConsumedQuota)
  return holdAmount(context, request, ceiling, limits)
}

/** Holds as much as there is of what is wanted, but no less than must be there; or refuses. */
export async function holdAmount(
  context: RelayContext,
  request: RelayedRequest,
  { least, wanted }: Ceiling,
  limits: LimitRequest | null,
): Promise<void> {
  const { ctx } = context
  const { caller } = request
  const at = Math.floor(request.startedAt / 1000)
  let held: HoldResult
  try {
    const { userId, tokenId, teamId, memberId } = caller
    const holding = ctx.ledger.reserve({
      id: request.holdId,
      userId,
      tokenId,
      teamId,
      memberId,
      least,
      wanted,
      at,
      limits,
    })
    held = holding instanceof Promise ? await holding : holding
  } catch (error) {
    // The commit may have happened all the same.
    settleLater(context, request, { outcome: 'failed', consumption: free })
    request.closed = true
    throw error
  }
  if (held.ok) {
    request.reserve = held.held
    request.wanted = wanted
    if (limits && held.limits) count(request, limits, held.limits)
    return
  }
  if (held.lacking === 'limit') throw refuseForLimit(held, caller, request.ask.entrance.door.dialect, ctx.clock())
  if (held.lacking === 'token' && held.available <= 0) await context.callers.exhausted(caller)
  throw refuseForLack(held, caller, least)
}

/** What the request costs through each of its channels, those that are alike named once. */
function offersOf(plan: Plan): Offer[] {
  const offers: Offer[] = []
  for (const channel of plan.candidates) {
    const offer = plan.offerThrough(channel)
    if (offer && !hasAlike(offers, offer)) offers.push(offer)
  }
  return offers
}

function hasAlike(offers: readonly Offer[], { price, groupRatio, model }: Offer): boolean {
  for (const known of offers)
    if (known.price === price && known.groupRatio === groupRatio && known.model === model) return true
  return false
}

function count(request: RelayedRequest, limits: LimitRequest, admission: LimitAdmission): void {
  request.limits = admission
  request.counted.caller = limits.of.map((limited) => ({ key: limitKey(limited), at: admission.at }))
}
