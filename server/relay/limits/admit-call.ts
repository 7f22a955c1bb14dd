import type { RelayContext } from '#server/relay/relay-context.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { CallAdmission } from '#server/relay/request/relay-route.ts'
import { countCall } from './count-call.ts'
import { requireLimits } from './require-limits.ts'

/** Who calls and whether his limits leave room, before anything else is done. Returns the headers that say what is left of them. */
export async function admitCall(
  context: RelayContext,
  inbound: InboundRequest,
  admission: CallAdmission,
): Promise<Readonly<Record<string, string>>> {
  if (admission === 'open') return {}
  const caller = await context.callers.identify(inbound)
  if (admission === 'counted') return countCall(context, inbound, caller)
  await requireLimits(context, inbound, caller)
  return {}
}
