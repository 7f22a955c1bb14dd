import { addToList } from '#server/lib/unordered-list.ts'
import { runAttempts } from './attempts/run-attempts.ts'
import { ClientGone } from './client-gone.ts'
import { deliver } from './delivery/deliver.ts'
import { faultWithLimits } from './limits/limit-headers.ts'
import { withFacts } from './refusals.ts'
import type { RelayContext } from './relay-context.ts'
import { type Ask, readAsk } from './request/ask.ts'
import { hasLongBody } from './request/body.ts'
import type { Caller } from './request/caller.ts'
import type { Entrance } from './request/doors.ts'
import type { InboundRequest } from './request/inbound-request.ts'
import { planRoute } from './routing/plan-route.ts'
import { admitBody } from './settlement/admit-body.ts'
import { reserve } from './settlement/reserve.ts'
import { free, settleSurely } from './settlement/settle.ts'
import { keepToHolder } from './state/keep-to-holder.ts'
import { refuseForeign } from './state/refuse-foreign.ts'
import { resolveState } from './state/resolve-state.ts'
import { type Asked, startBackground, wantsBackground } from './stored/background.ts'

/** A relayed request from first byte to last: who, how much at most, through whom, how much in the end. */
export function relay(context: RelayContext, inbound: InboundRequest, entrance: Entrance): Promise<Response> {
  const caller = context.callers.identify(inbound)
  if (caller instanceof Promise || hasLongBody(inbound)) return relayLater(context, inbound, entrance, caller)
  return relayAsk(context, { inbound, caller, read: readAsk(entrance, inbound) })
}

/** The same where the caller is not in memory, or the body is long and the purse must be checked before it is read. */
async function relayLater(
  context: RelayContext,
  inbound: InboundRequest,
  entrance: Entrance,
  identified: Caller | Promise<Caller>,
): Promise<Response> {
  const caller = await identified
  await admitBody(context, inbound, caller)
  return await relayAsk(context, { inbound, caller, read: readAsk(entrance, inbound) })
}

/** A request whose caller is known and whose body may still be arriving. */
interface Asking extends Omit<Asked, 'read'> {
  readonly read: Ask | Promise<Ask>
}

async function relayAsk(
  context: RelayContext,
  { inbound, caller, read: reading }: Asking,
  admitted: (() => Promise<void>) | null = null,
): Promise<Response> {
  const read = await reading
  if (wantsBackground(read)) {
    return await startBackground(context, { inbound, caller, read }, (alone, held) => relayAsk(context, alone, held))
  }
  try {
    return await relayRead(context, { inbound, caller, read }, admitted)
  } catch (error) {
    throw withFacts(error, { caller, model: read.model })
  }
}

async function relayRead(
  context: RelayContext,
  { inbound, caller, read }: Asked,
  admitted: (() => Promise<void>) | null,
): Promise<Response> {
  // Nothing is sent to a vendor while the database cannot take the settlement.
  if (!context.ctx.writes.isFresh()) await context.ctx.writes.require()
  const trace = context.tracer?.begin(inbound.http.headers, inbound.startedAt) ?? null
  const resolving = resolveState(context, caller, read, inbound)
  const { ask, holder } = resolving instanceof Promise ? await resolving : resolving
  const planning = planRoute(context, caller, ask)
  const route = keepToHolder(context.ctx, planning instanceof Promise ? await planning : planning, holder)
  refuseForeign(route, inbound)
  const reserving = reserve(context, route.plan, { inbound, caller, ask: route.ask, trace })
  const request = reserving instanceof Promise ? await reserving : reserving
  addToList(context.running, request)
  // A stopping node waits for requests that go on without their client.
  context.pendingSettlements.begin()
  try {
    if (admitted) await admitted()
    const found = await runAttempts(context, request, route)
    return await deliver(context, request, found)
  } catch (error) {
    const outcome = error instanceof ClientGone ? 'cut' : 'failed'
    if (!request.closed) await settleSurely(context, request, { outcome, consumption: free })
    throw withFacts(faultWithLimits(error, request, context.ctx.clock()), { hasRow: true })
  } finally {
    context.pendingSettlements.over()
  }
}
