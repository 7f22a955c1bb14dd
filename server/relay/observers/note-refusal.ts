import { type RefusedCaller, RelayFault } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { isNoted } from './refused-requests.ts'

/** Refusals leave rows, whoever found them; the caller of a look-up is known by its key. */
export function noteRefusal({ callers, refusedRequests }: RelayContext, inbound: InboundRequest, error: unknown): void {
  if (!(error instanceof RelayFault) || !isNoted(error.fault, error.facts)) return
  const { fault, facts } = error
  let caller: RefusedCaller | Promise<RefusedCaller> | undefined = facts.caller
  try {
    caller ??= callers.identify(inbound)
  } catch {
    return
  }
  void Promise.resolve(caller).then(
    (known) => refusedRequests.note({ id: inbound.id, caller: known, fault, model: facts.model ?? '' }),
    () => {},
  )
}
