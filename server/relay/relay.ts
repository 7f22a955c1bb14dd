import { runAttempts } from './attempts/run-attempts.ts'
import { deliver } from './delivery/deliver.ts'
import type { RelayContext } from './relay-context.ts'
import { ClientGone } from './relayed-request.ts'
import { readAsk } from './request/ask.ts'
import { hasLongBody } from './request/body.ts'
import type { Entrance } from './request/doors.ts'
import type { InboundRequest } from './request/inbound-request.ts'
import { requirePurse } from './request/purse.ts'
import { planRoute } from './routing/plan-route.ts'
import { reserve } from './settlement/reserve.ts'
import { free, settleSurely } from './settlement/settle.ts'

/** A relayed request from first byte to last: who, how much at most, through whom, how much in the end. */
export async function relay(context: RelayContext, inbound: InboundRequest, entrance: Entrance): Promise<Response> {
  const trace = context.tracer?.begin(inbound.http.headers, inbound.startedAt) ?? null
  const caller = await context.callers.identify(inbound)
  if (hasLongBody(inbound)) await requirePurse(context, caller)
  const ask = await readAsk(entrance, inbound)
  const route = await planRoute(context, caller, ask)
  const request = await reserve(context, route.plan, { inbound, caller, ask: route.ask, trace })
  // A node that stops waits for what goes on without its client.
  const over = Promise.withResolvers<void>()
  inbound.http.signal.addEventListener('abort', () => context.pendingSettlements.add(over.promise), { once: true })
  try {
    const found = await runAttempts(context, request, route)
    return await deliver(context, request, found)
  } catch (error) {
    const outcome = error instanceof ClientGone ? 'cut' : 'failed'
    if (!request.closed) await settleSurely(context, request, { outcome, consumption: free })
    throw error
  } finally {
    over.resolve()
  }
}
