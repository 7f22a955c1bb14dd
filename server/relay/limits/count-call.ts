import { limitsOf } from '#server/relay/limits/caller-limits.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { dialectOf } from '#server/relay/request/doors.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { limitHeaders } from './limit-headers.ts'
import { refuseForLimit } from './refuse-limit.ts'

/**
 * Counts a call that holds no money on the requests a minute of its token and its user, and refuses it where they are used up.
 * Returns the headers that say what is left.
 */
export async function countCall(
  { ctx }: RelayContext,
  inbound: InboundRequest,
  caller: Caller,
): Promise<Readonly<Record<string, string>>> {
  const now = ctx.clock()
  const limits = limitsOf(caller, ctx.options().GroupLimits, { now, tokens: 0 })
  // It asks no model: its tokens and its place among running requests count nowhere.
  const of = limits?.of.filter(({ rpm }) => rpm > 0).map((limited) => ({ ...limited, tpm: 0, parallel: 0 })) ?? []
  if (of.length === 0) return {}
  const entry = { id: inbound.id, channelId: 0, limits: { now, tokens: 0, of }, before: null }
  const result = await ctx.ledger.enter(entry)
  if (!result.ok) throw refuseForLimit(result, caller, dialectOf(inbound), now)
  inbound.place.isCounted = true
  return limitHeaders(result.left, dialectOf(inbound), { seen: now, now: ctx.clock() })
}
