import type { HoldRequest, HoldResult } from '#server/billing/ledger/ledger.ts'
import { type LimitRequest, limitKey } from '#server/billing/limits/limit-check.ts'
import { estimatedTokens, limitsOf } from '#server/relay/limits/caller-limits.ts'
import { refuseForLimit } from '#server/relay/limits/refuse-limit.ts'
import { dearestCeiling } from '#server/relay/metering/ceiling.ts'
import { refuseForLack } from '#server/relay/metering/lack.ts'
import { measure } from '#server/relay/metering/measure.ts'
import type { Ceiling, Measured, Offer } from '#server/relay/metering/offer.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { newRelayedRequest, type RelayedRequest } from '#server/relay/relayed-request.ts'
import type { Plan } from '#server/relay/routing/plan.ts'
import type { PlannedRoute } from '#server/relay/routing/plan-route.ts'
import { holdForCall } from './admit-body.ts'
import { free, settleLater } from './settle.ts'

type Known = Pick<RelayedRequest, 'inbound' | 'caller' | 'ask' | 'trace'>

/** Holds the most the request may cost, or refuses it. Synchronous where nothing has to be looked up. */
export function reserve(context: RelayContext, plan: Plan, known: Known): RelayedRequest | Promise<RelayedRequest> {
  const measured = measure(known.ask, plan.extras)
  return measured instanceof Promise
    ? measured.then((found) => reserveMeasured(context, plan, known, found))
    : reserveMeasured(context, plan, known, measured)
}

function reserveMeasured(
  context: RelayContext,
  plan: Plan,
  known: Known,
  measured: Measured,
): RelayedRequest | Promise<RelayedRequest> {
  const request = newRelayedRequest(known, measured)
  request.estimate = estimatedTokens(measured)
  // A body may take long to arrive, so the limits count from the moment of admission.
  const counting = { now: context.ctx.clock(), tokens: request.estimate }
  const limits = limitsOf(request.caller, context.ctx.options().GroupLimits, counting)
  const holding = hold(context, request, plan, limits)
  return holding ? holding.then(() => request) : request
}

/** Releases the hold and makes one for another model. After a refusal the request goes on with nothing held. */
export async function moveHold(context: RelayContext, request: RelayedRequest, route: PlannedRoute): Promise<void> {
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
function hold(context: RelayContext, request: RelayedRequest, plan: Plan, limits: LimitRequest | null) {
  const { measured } = request
  const ceiling = dearestCeiling(offersOf(plan), measured, context.ctx.options().PreConsumedQuota)
  return holdAmount(context, request, ceiling, limits)
}

/** Holds what is available between `least` and `wanted`, or refuses. Done at once when it returns undefined. */
export function holdAmount(
  context: RelayContext,
  request: RelayedRequest,
  ceiling: Ceiling,
  limits: LimitRequest | null,
): Promise<void> | undefined {
  const { userId, tokenId, teamId, memberId } = request.caller
  const { least, wanted } = ceiling
  const at = Math.floor(request.startedAt / 1000)
  const asked = { id: request.holdId, userId, tokenId, teamId, memberId, least, wanted, at, limits }
  const result = holdForCall(context, request.inbound, asked)
  if (!(result instanceof Promise) && result.ok) return take(request, result, wanted, limits)
  return takeLater(context, request, asked, result)
}

async function takeLater(
  context: RelayContext,
  request: RelayedRequest,
  { least, wanted, limits }: HoldRequest,
  result: HoldResult | Promise<HoldResult>,
): Promise<void> {
  const { ctx } = context
  const { caller } = request
  let held: HoldResult
  try {
    held = await result
  } catch (error) {
    // The commit may have happened although its result was lost.
    settleLater(context, request, { outcome: 'failed', consumption: free })
    request.closed = true
    throw error
  }
  if (held.ok) return take(request, held, wanted, limits)
  if (held.lacking === 'limit') throw refuseForLimit(held, caller, request.ask.entrance.door.dialect, ctx.clock())
  if (held.lacking === 'token' && held.available <= 0) await context.callers.exhausted(caller)
  throw refuseForLack(held, caller, least, ctx.options())
}

function take(
  request: RelayedRequest,
  held: Extract<HoldResult, { ok: true }>,
  wanted: number,
  limits: LimitRequest | null,
): undefined {
  request.reserve = held.held
  request.wanted = wanted
  if (!limits || !held.limits) return
  const { requests, tokens, at } = held.limits
  request.limits = { left: { requests, tokens }, seen: limits.now }
  request.counted.caller = limits.of.map((limited) => ({ key: limitKey(limited), at }))
}

/** Keyed by the list of candidates, which belongs to one plan. */
const knownOffers = new WeakMap<Plan['candidates'], readonly Offer[]>()

/** The distinct offers of the plan's channels. */
function offersOf(plan: Plan): readonly Offer[] {
  const known = knownOffers.get(plan.candidates)
  if (known) return known
  const offers: Offer[] = []
  for (const channel of plan.candidates) {
    const offer = plan.offerThrough(channel)
    if (offer && !hasAlike(offers, offer)) offers.push(offer)
  }
  knownOffers.set(plan.candidates, offers)
  return offers
}

function hasAlike(offers: readonly Offer[], { price, groupRatio, model, thinksBeside }: Offer): boolean {
  for (const known of offers)
    if (
      known.price === price &&
      known.groupRatio === groupRatio &&
      known.model === model &&
      known.thinksBeside === thinksBeside
    )
      return true
  return false
}
