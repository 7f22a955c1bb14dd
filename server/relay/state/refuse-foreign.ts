import { providerOf } from '#server/providers/index.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { PlannedRoute } from '#server/relay/routing/plan-route.ts'
import { plainTarget } from '#server/relay/upstream/plain-target.ts'

/** Refuses a request that names something of nobody here, before money is held; unless all its channels translate, which drops such references. */
export function refuseForeign({ ask, plan }: PlannedRoute, inbound: InboundRequest): void {
  const { foreign, entrance, model } = ask
  if (!foreign) return
  const { operation, dialect } = entrance.door
  const understands = plan.candidates.some((channel) => {
    const target = plainTarget(channel, inbound, model, dialect.id)
    return providerOf(channel.type).dialect(target).id === dialect.id
  })
  if (operation !== 'chat' || understands) throw foreign
}
