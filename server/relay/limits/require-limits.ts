import type { LimitUse } from '#server/billing/ledger/ledger.ts'
import type { Limited } from '#server/billing/limits/limit-check.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { dialectOf } from '#server/relay/request/doors.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { limitsOf } from './caller-limits.ts'
import { refuseForLimit } from './refuse-limit.ts'

const isUsedUp = ({ rpm, tpm, parallel }: Limited, { requests, tokens, running }: LimitUse): boolean =>
  (rpm > 0 && requests >= rpm) || (tpm > 0 && tokens > tpm) || (parallel > 0 && running >= parallel)

/** Refuses a caller whose limits are used up, without counting: the request is counted when its money is held. */
export async function requireLimits({ ctx }: RelayContext, inbound: InboundRequest, caller: Caller): Promise<void> {
  const now = ctx.clock()
  const limits = limitsOf(caller, ctx.options().GroupLimits, { now, tokens: 0 })
  for (const limited of limits?.of ?? []) {
    if (!isUsedUp(limited, await ctx.ledger.limitUse(limited.kind, limited.id, now))) continue
    const entry = { id: inbound.id, channelId: 0, limits: { now, tokens: 0, of: [limited] }, before: null }
    const result = await ctx.ledger.enter(entry)
    if (!result.ok) throw refuseForLimit(result, caller, dialectOf(inbound), now)
  }
}
