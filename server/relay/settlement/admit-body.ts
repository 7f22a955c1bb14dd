import type { HoldRequest, HoldResult, Settlement } from '#server/billing/ledger/ledger.ts'
import { limitsOf } from '#server/relay/limits/caller-limits.ts'
import { refuseForLimit } from '#server/relay/limits/refuse-limit.ts'
import { requirePurse } from '#server/relay/metering/purse.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { hasLongBody } from '#server/relay/request/body.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { dialectOf } from '#server/relay/request/doors.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { writeSurely } from './write-surely.ts'

/** Refuses a caller without funds or beyond his limits before the first byte of a long body is read. */
export async function admitBody(context: RelayContext, inbound: InboundRequest, caller: Caller): Promise<void> {
  if (hasLongBody(inbound)) await requirePurse(context, caller)
  await countBody(context, inbound, caller)
}

/** The same where a caller without funds is refused whatever he sends. */
export async function admitPaying(context: RelayContext, inbound: InboundRequest, caller: Caller): Promise<void> {
  await requirePurse(context, caller)
  await countBody(context, inbound, caller)
}

/** Limits count a call with a long body before that is read; one that declares no length, before it becomes a long one. */
export async function countBody(context: RelayContext, inbound: InboundRequest, caller: Caller): Promise<void> {
  inbound.place.belongsTo(caller.userId)
  if (!hasLongBody(inbound)) return
  if (inbound.http.headers.has('content-length')) await countEarly(context, inbound, caller)
  else inbound.place.beforeLong = () => countEarly(context, inbound, caller)
}

/** Limits count the call from here on: it is one of the parallel requests until money is held for it, or until `endCall`. */
async function countEarly(context: RelayContext, inbound: InboundRequest, caller: Caller): Promise<void> {
  const { ctx } = context
  const now = ctx.clock()
  const known = limitsOf(caller, ctx.options().GroupLimits, { now, tokens: 0 })
  if (!known) return
  const limits = inbound.place.isCounted ? { ...known, counted: 'request' as const } : known
  const { userId, tokenId, teamId, memberId } = caller
  const at = Math.floor(now / 1000)
  const call = { id: `${inbound.id}.call`, userId, tokenId, teamId, memberId, at }
  const nothing = { charge: 0, channelId: 0, counts: false, log: null, corrections: [] }
  // Closed even where the result of the commit is lost.
  inbound.place.earlyHold = { ...call, ...nothing, admittedAt: at }
  const held = await ctx.ledger.reserve({ ...call, least: 0, wanted: 0, limits })
  if (held.ok) return
  inbound.place.earlyHold = null
  throw held.lacking === 'limit' ? refuseForLimit(held, caller, dialectOf(inbound), now) : refuse('keyInvalid')
}

/** Holds what a request may cost. A call that was admitted before is not counted as a request again. */
export function holdForCall(
  { ctx: { ledger } }: RelayContext,
  { place }: Pick<InboundRequest, 'place'>,
  request: HoldRequest,
): HoldResult | Promise<HoldResult> {
  return place.earlyHold ? holdInstead(ledger, place, place.earlyHold, request) : ledger.reserve(request)
}

async function holdInstead(
  ledger: RelayContext['ctx']['ledger'],
  place: InboundRequest['place'],
  early: Settlement,
  request: HoldRequest,
): Promise<HoldResult> {
  const limits = request.limits && { ...request.limits, counted: 'parallel request' as const }
  const { held } = await ledger.renew(early, { ...request, limits })
  place.earlyHold = null
  return held
}

/** The call is over, or its answer has begun. */
export function endCall(context: RelayContext, { id, place }: InboundRequest): void {
  const { earlyHold } = place
  place.earlyHold = null
  place.answered()
  if (!earlyHold) return
  const call = { of: 'a call', done: 'closed', facts: { request: id } }
  context.pendingSettlements.add(writeSurely(context, call, () => context.ctx.ledger.settle(earlyHold)))
}
