import { show } from '#server/relay/lookups/show.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayRoute } from '#server/relay/request/relay-route.ts'
import { isOwn, openResponse } from '#server/relay/state/own-response.ts'
import { dropState } from '#server/relay/state/state.store.ts'
import { queryForVendor } from '#server/relay/upstream/query-for-vendor.ts'
import { cancelBackground } from './background.ts'
import { askKeeper, mine } from './held-by-vendor.ts'
import { listed } from './listed.ts'

const read: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'response', id)
  if (inbound.url.searchParams.get('stream') === 'true') throw refuse('backgroundStream')
  if (isOwn(row)) return show(openResponse(context.ctx.secrets, row).response)
  return show(
    await askKeeper(context, inbound, row, { method: 'GET', path: `/responses/${id}${queryForVendor(inbound)}` }),
  )
}

const remove: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'response', id)
  if (row.status !== '') await cancelBackground(context, row)
  const answer = isOwn(row)
    ? { id, object: 'response', deleted: true }
    : await askKeeper(context, inbound, row, { method: 'DELETE', path: `/responses/${id}` })
  await dropState(context.ctx.database.db, row.user_id, id)
  return show(answer)
}

const inputItems: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'response', id)
  if (isOwn(row)) return show(listed(openResponse(context.ctx.secrets, row).input, inbound.url.searchParams))
  const path = `/responses/${id}/input_items${queryForVendor(inbound)}`
  return show(await askKeeper(context, inbound, row, { method: 'GET', path }))
}

const cancel: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'response', id)
  if (!isOwn(row))
    return show(await askKeeper(context, inbound, row, { method: 'POST', path: `/responses/${id}/cancel` }))
  const { response } = openResponse(context.ctx.secrets, row)
  if (response.background !== true) throw refuse('notBackground')
  return show(row.status === '' ? response : await cancelBackground(context, row))
}

/** Responses that are kept, by their vendor or here. */
export const responseRoutes: readonly RelayRoute[] = [
  { method: 'GET', path: '/v1/responses/{id}', admission: 'counted', serve: read },
  { method: 'DELETE', path: '/v1/responses/{id}', admission: 'counted', serve: remove },
  { method: 'GET', path: '/v1/responses/{id}/input_items', admission: 'counted', serve: inputItems },
  { method: 'POST', path: '/v1/responses/{id}/cancel', admission: 'counted', serve: cancel },
]
