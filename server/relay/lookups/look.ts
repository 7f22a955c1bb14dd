import { decoded } from '#server/lib/text/decoded.ts'
import { refuse } from '#server/relay/refusals.ts'
import { dialectOf } from '#server/relay/request/doors.ts'
import type { RelayRoute } from '#server/relay/request/relay-route.ts'
import { subscription, usage } from './billing-calls.ts'
import { modelsFor } from './models.ts'
import { show } from './show.ts'

const listModels: RelayRoute['serve'] = async ({ callers, routing }, inbound) => {
  const caller = await callers.identify(inbound)
  return show(dialectOf(inbound).modelList(modelsFor(await routing.table(), caller)))
}

const showModel: RelayRoute['serve'] = async ({ callers, routing }, inbound, { model = '' }) => {
  const caller = await callers.identify(inbound)
  const wanted = decoded(model)
  if (!modelsFor(await routing.table(), caller).includes(wanted)) throw refuse('modelUnknown', { model: wanted })
  return show(dialectOf(inbound).modelEntry(wanted))
}

const showSubscription: RelayRoute['serve'] = async ({ ctx, callers }, inbound) =>
  show(await subscription(ctx, await callers.identify(inbound)))

const showUsage: RelayRoute['serve'] = async ({ ctx, callers }, inbound) =>
  show(await usage(ctx, await callers.identify(inbound)))

/** What callers may read: models, and what they have left. */
export const lookupRoutes: readonly RelayRoute[] = [
  { method: 'GET', path: '/v1/models', admission: 'open', serve: listModels },
  { method: 'GET', path: '/v1/models/{model}', admission: 'open', serve: showModel },
  { method: 'GET', path: '/v1beta/models', admission: 'open', serve: listModels },
  { method: 'GET', path: '/v1beta/models/{model}', admission: 'open', serve: showModel },
  { method: 'GET', path: '/dashboard/billing/subscription', admission: 'open', serve: showSubscription },
  { method: 'GET', path: '/dashboard/billing/usage', admission: 'open', serve: showUsage },
  { method: 'GET', path: '/v1/dashboard/billing/subscription', admission: 'open', serve: showSubscription },
  { method: 'GET', path: '/v1/dashboard/billing/usage', admission: 'open', serve: showUsage },
]
