import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { decoded, dialectOf } from '#server/relay/request/doors.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { subscription, usage } from './billing-calls.ts'
import { modelsFor } from './models.ts'
import { show } from './show.ts'

/** What callers may read: models, and what they have left. */
export async function look({ ctx, callers, routing }: RelayContext, inbound: InboundRequest): Promise<Response> {
  const { http, url } = inbound
  const path = url.pathname.replace(/\/+$/, '').replace(/^\/v1\/dashboard/, '/dashboard')
  const models = /^\/v1(?:beta|alpha)?\/models(?:\/(.+))?$/.exec(path)
  if (!models && path !== '/dashboard/billing/subscription' && path !== '/dashboard/billing/usage') {
    throw refuse('notFound', { method: http.method, path: url.pathname })
  }
  const caller = await callers.identify(inbound)
  if (path.endsWith('/subscription')) return show(await subscription(ctx, caller))
  if (path.endsWith('/usage')) return show(await usage(ctx, caller))
  const ids = modelsFor(await routing.table(), caller)
  const dialect = dialectOf(inbound)
  const wanted = models?.[1] === undefined ? undefined : decoded(models[1])
  if (wanted === undefined) return show(dialect.modelList(ids))
  if (!ids.includes(wanted)) throw refuse('modelUnknown', { model: wanted })
  return show(dialect.modelEntry(wanted))
}
