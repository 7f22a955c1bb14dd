import type { HoldResult } from '#server/billing/ledger/ledger.ts'
import { epochSeconds } from '#server/context.ts'
import type { JsonObject } from '#server/lib/json.ts'
import { errorFault } from '#server/relay/error-fault.ts'
import { limitsOf } from '#server/relay/limits/caller-limits.ts'
import { limitHeaders } from '#server/relay/limits/limit-headers.ts'
import { refuseForLimit } from '#server/relay/limits/refuse-limit.ts'
import { refuseForLack } from '#server/relay/metering/lack.ts'
import { RelayFault, refusal, refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { dialectOf } from '#server/relay/request/doors.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { holdForCall } from '#server/relay/settlement/admit-body.ts'
import { writeSurely } from '#server/relay/settlement/write-surely.ts'
import { withKeys } from '#server/relay/upstream/with-keys.ts'
import { addWork, begunWork, dropWork, isNewId, loseWork, moveWork } from './long-work.store.ts'
import { settleWork } from './settle-work.ts'
import { holdIdOf, sealFacts, type Work, type WorkKind, type WorkPart } from './work.ts'

/** What is about to begin, and what it may cost. */
export interface WorkPlan {
  readonly kind: WorkKind
  /** With the key that makes it, and the others of its pool. */
  readonly channel: RoutedChannel
  readonly parts: readonly WorkPart[]
  readonly more: unknown
  /** After this many hours without an end its hold is given back. */
  readonly hoursMost: number
}

/** A request, and whose it is. */
interface Sender {
  readonly inbound: InboundRequest
  readonly caller: Caller
}

/** How long a vendor may take to begin; some need a minute. */
export const beginningMs = 120_000

/** How often running work is looked at. */
export const lookEverySeconds = 25

/** The vendor's answer, and the headers with the caller's remaining limits. */
interface Begun {
  readonly answer: JsonObject
  readonly headers: Readonly<Record<string, string>>
}

/** Sends the request that begins the work; returns the vendor's answer. */
type Start = (channel: RoutedChannel) => Promise<JsonObject>

/**
 * Holds what the work may cost at most, has its vendor begin it, and remembers it until it is paid. When its vendor refuses, nothing is
 * held any more; when nobody can say whether it has begun, it is looked for. A client that leaves meanwhile changes nothing.
 */
export async function beginWork(
  context: RelayContext,
  { inbound, caller }: Sender,
  plan: WorkPlan,
  start: Start,
): Promise<Begun> {
  const { ctx } = context
  if (!ctx.writes.isFresh()) await ctx.writes.require()
  const work = workOf(context, inbound, caller, plan)
  const { facts: _, ...row } = work
  const { db } = ctx.database
  await addWork(db, row)
  // While this node lives, others take the work as being begun here; clearing the node hands it to them.
  const lost = { of: 'long work', done: 'given up', facts: { id: work.id } }
  const lose = () => context.pendingSettlements.add(writeSurely(context, lost, () => loseWork(db, work.id)))
  let headers: Begun['headers']
  try {
    headers = await hold(context, inbound, caller, work)
  } catch (error) {
    if (error instanceof RelayFault) await dropWork(db, work.id)
    else lose()
    throw error
  }
  try {
    const { begun, answer } = await started(context, plan, work, start)
    await begunWork(db, work.id, begun.vendor_id, epochSeconds(ctx) + lookEverySeconds)
    await plan.kind.keep(context, begun, answer)
    return { answer, headers }
  } catch (error) {
    if (!(error instanceof NotBegun)) {
      lose()
      throw error
    }
    await settleWork(context, work, { outcome: 'failed', used: [], fault: errorFault(error.cause) })
      .then(() => dropWork(db, work.id))
      .catch(lose)
    throw error.cause
  }
}

/** It is certain that the vendor has not begun. */
class NotBegun extends Error {}

/** Asks with one key of the pool after the other; an answer that was lost is looked for at once. */
async function started(context: RelayContext, { kind, channel }: WorkPlan, work: Work, start: Start) {
  const { ctx } = context
  let asked = work
  const ask = async (through: RoutedChannel) => {
    const key_hash = ctx.secrets.hash(through.key)
    if (key_hash !== asked.key_hash) await moveWork(ctx.database.db, work.id, key_hash)
    asked = { ...asked, key_hash }
    const answer = await start(through)
    if (!kind.idOf(answer)) throw refuse('upstreamFailed')
    return answer
  }
  const answer = await withKeys(context, channel, ask)
    .then(({ answer }) => answer)
    .catch((error) => foundAfter(context, kind, asked, error))
  return { begun: { ...asked, vendor_id: kind.idOf(answer) ?? '' }, answer }
}

/** A vendor that failed, or whose answer was lost, may have begun all the same. */
async function foundAfter(context: RelayContext, kind: WorkKind, work: Work, cause: unknown): Promise<JsonObject> {
  const { status, code } = errorFault(cause)
  if (!(cause instanceof RelayFault) || status < 500 || !kind.find) throw new NotBegun('', { cause })
  const { db } = context.ctx.database
  const found = await kind.find(context, work, (id) => isNewId(db, id)).catch(() => 'none' as const)
  if (typeof found === 'object') return found.answer
  // After a lost answer the vendor may still be beginning, so its list is looked at again later.
  const isSure = found === 'none' && code !== refusal('answerLost').code
  throw isSure ? new NotBegun('', { cause }) : cause
}

function workOf({ ctx }: RelayContext, inbound: InboundRequest, caller: Caller, plan: WorkPlan): Work {
  const { models: _, limits: __, ...known } = caller
  const facts = { caller: known, parts: plan.parts, more: plan.more }
  const now = epochSeconds(ctx)
  return {
    id: inbound.id,
    kind: plan.kind.name,
    user_id: caller.userId,
    vendor_id: '',
    channel_id: plan.channel.id,
    key_hash: ctx.secrets.hash(plan.channel.key),
    node: ctx.nodeId,
    facts_sealed: sealFacts(ctx, facts),
    created_at: now,
    next_look_at: now,
    ends_at: now + plan.hoursMost * 3600,
    facts,
  }
}

/** Takes back the holds of the first parts: what is refused leaves no trace. */
async function giveBack({ ctx }: RelayContext, caller: Caller, work: Work, count: number): Promise<void> {
  const { userId, tokenId, teamId, memberId } = caller
  const at = epochSeconds(ctx)
  const nothing = { charge: 0, channelId: 0, counts: false, log: null, at, admittedAt: at, corrections: [] }
  for (let part = 0; part < count; part += 1)
    await ctx.ledger.settle({ id: holdIdOf(work, part), userId, tokenId, teamId, memberId, ...nothing })
}

/** All of it or nothing: work that a vendor has begun cannot be made smaller. */
async function hold(
  context: RelayContext,
  inbound: InboundRequest,
  caller: Caller,
  work: Work,
): Promise<Begun['headers']> {
  const { ctx } = context
  const { userId, tokenId, teamId, memberId } = caller
  const counting = { now: ctx.clock(), tokens: 0 }
  let headers: Begun['headers'] = {}
  for (const [at, { most }] of work.facts.parts.entries()) {
    const limits = at === 0 ? limitsOf(caller, ctx.options().GroupLimits, counting) : null
    const held: HoldResult = await holdForCall(context, inbound, {
      id: holdIdOf(work, at),
      userId,
      tokenId,
      teamId,
      memberId,
      least: most,
      wanted: most,
      at: work.created_at,
      limits,
      lasting: true,
    })
    if (held.ok) {
      const moments = { seen: counting.now, now: counting.now }
      if (held.limits) headers = limitHeaders(held.limits, dialectOf(inbound), moments)
      continue
    }
    await giveBack(context, caller, work, at)
    if (held.lacking === 'limit') throw refuseForLimit(held, caller, dialectOf(inbound), ctx.clock())
    if (held.lacking === 'token' && held.available <= 0) await context.callers.exhausted(caller)
    throw refuseForLack(held, caller, most, ctx.options())
  }
  return headers
}
