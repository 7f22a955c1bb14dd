import type { HoldResult } from '#server/billing/ledger/ledger.ts'
import { ceilingOf } from '#server/relay/metering/ceiling.ts'
import { refuseForLack } from '#server/relay/metering/lack.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { newRelayedRequest, type RelayedRequest } from '#server/relay/relayed-request.ts'
import type { Plan } from '#server/relay/routing/plan.ts'
import { free, settleLater } from './settle.ts'

/** Holds the most the request may cost, or refuses it. */
export async function reserve(
  context: RelayContext,
  plan: Plan,
  known: Pick<RelayedRequest, 'inbound' | 'caller' | 'ask' | 'trace'>,
): Promise<RelayedRequest> {
  const { ctx } = context
  const { caller, ask } = known
  const { least, wanted } = ceilingOf(ask, plan.price, context.prices(), caller, ctx.options().PreConsumedQuota)
  const request = newRelayedRequest(known)
  const { userId, tokenId, teamId, memberId } = caller
  const at = Math.floor(request.startedAt / 1000)
  let held: HoldResult
  try {
    held = await ctx.ledger.reserve({ id: request.id, userId, tokenId, teamId, memberId, least, wanted, at })
  } catch (error) {
    // The commit may have happened all the same.
    settleLater(context, request, { outcome: 'failed', consumption: free })
    throw error
  }
  if (held.ok) {
    request.reserve = held.held
    return request
  }
  if (held.lacking === 'token' && held.available <= 0) await context.callers.exhausted(caller)
  throw refuseForLack(held, caller, least)
}
