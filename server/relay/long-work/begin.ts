import type { HoldResult } from '#server/billing/ledger/ledger.ts'
import { epochSeconds } from '#server/context.ts'
import { faultOf } from '#server/relay/fault-of.ts'
import { limitsOf } from '#server/relay/limits/caller-limits.ts'
import { refuseForLimit } from '#server/relay/limits/refuse-limit.ts'
import { refuseForLack } from '#server/relay/metering/lack.ts'
import { RelayFault } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { dialectOf } from '#server/relay/request/doors.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { addWork, begunWork, dropWork } from './long-work.store.ts'
import { settleWork } from './settle-work.ts'
import { holdIdOf, sealFacts, type Work, type WorkPart } from './work.ts'

/** What is about to begin, and what it may cost. */
export interface WorkPlan {
  /** The name of its row in the table of kinds. */
  readonly kind: string
  /** With the key that makes it. */
  readonly channel: RoutedChannel
  readonly parts: readonly WorkPart[]
  readonly more: unknown
  /** What has not ended so long after its beginning is given back. */
  readonly hoursMost: number
}

/** A request, and whose it is. */
interface Sender {
  readonly inbound: InboundRequest
  readonly caller: Caller
}

/** So often what goes on is looked at. */
export const lookEverySeconds = 25

/**
 * Holds what the work may cost at most, has its vendor begin it, and remembers it until it is paid. `start` answers the vendor's id;
 * when it throws, nothing is held any more. A client that leaves meanwhile changes nothing.
 */
export async function beginWork<Begun extends { readonly vendorId: string }>(
  context: RelayContext,
  { inbound, caller }: Sender,
  plan: WorkPlan,
  start: () => Promise<Begun>,
): Promise<Begun> {
  const { ctx } = context
  if (!ctx.writes.isFresh()) await ctx.writes.require()
  const work = workOf(context, inbound, caller, plan)
  const { facts: _, ...row } = work
  await addWork(ctx.database.db, row)
  try {
    await hold(context, inbound, caller, work)
  } catch (error) {
    if (error instanceof RelayFault) await dropWork(ctx.database.db, work.id)
    throw error
  }
  try {
    const begun = await start()
    await begunWork(ctx.database.db, work.id, begun.vendorId, epochSeconds(ctx) + lookEverySeconds)
    return begun
  } catch (error) {
    await settleWork(context, work, { outcome: 'failed', used: [], fault: faultOf(error) })
    await dropWork(ctx.database.db, work.id)
    throw error
  }
}

function workOf({ ctx }: RelayContext, inbound: InboundRequest, caller: Caller, plan: WorkPlan): Work {
  const { models: _, limits: __, ...known } = caller
  const facts = { caller: known, parts: plan.parts, more: plan.more }
  const now = epochSeconds(ctx)
  return {
    id: inbound.id,
    kind: plan.kind,
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

/** All of it or nothing: a vendor that has begun cannot be told to do with less. */
async function hold(context: RelayContext, inbound: InboundRequest, caller: Caller, work: Work): Promise<void> {
  const { ctx } = context
  const { userId, tokenId, teamId, memberId } = caller
  const counting = { now: inbound.startedAt, tokens: 0 }
  for (const [at, { most }] of work.facts.parts.entries()) {
    const limits = at === 0 ? limitsOf(caller, ctx.options().GroupLimits, counting) : null
    const held: HoldResult = await ctx.ledger.reserve({
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
    if (held.ok) continue
    await giveBack(context, caller, work, at)
    if (held.lacking === 'limit') throw refuseForLimit(held, caller, dialectOf(inbound), ctx.clock())
    if (held.lacking === 'token' && held.available <= 0) await context.callers.exhausted(caller)
    throw refuseForLack(held, caller, most)
  }
}
