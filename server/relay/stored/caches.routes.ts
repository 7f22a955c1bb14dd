import { show } from '#server/relay/lookups/show.ts'
import type { RelayRoute } from '#server/relay/request/relay-route.ts'
import { dropState } from '#server/relay/state/state.store.ts'
import { askedPage } from './asked-page.ts'
import { askKeeper, mine } from './held-by-vendor.ts'
import { limitIn } from './pages.ts'

const nameOf = (id: string) => `cachedContents/${id}`

const read: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'cache', nameOf(id))
  return show(await askKeeper(context, inbound, row, { method: 'GET', path: `/${row.id}` }))
}

const remove: RelayRoute['serve'] = async (context, inbound, { id = '' }) => {
  const row = await mine(context, await context.callers.identify(inbound), 'cache', nameOf(id))
  const answer = await askKeeper(context, inbound, row, { method: 'DELETE', path: `/${row.id}` })
  await dropState(context.ctx.database.db, row.user_id, row.id)
  return show(answer)
}

/** One's own only, newest first. */
const list: RelayRoute['serve'] = async (context, inbound) => {
  const { searchParams: query } = inbound.url
  const { userId } = await context.callers.identify(inbound)
  const place = { order: 'desc', after: query.get('pageToken'), limit: limitIn(query, 'pageSize', 50, 100) } as const
  const { data, goesOnAfter } = await askedPage(context, { userId, kind: 'cache' }, place, (row) =>
    askKeeper(context, inbound, row, { method: 'GET', path: `/${row.id}` }),
  )
  return show({ cachedContents: data, ...(goesOnAfter === undefined ? {} : { nextPageToken: goesOnAfter }) })
}

/** Contents that Google keeps for callers. Creating one is a door, because it costs. */
export const cacheRoutes: readonly RelayRoute[] = [
  { method: 'GET', path: '/v1beta/cachedContents', admission: 'counted', serve: list },
  { method: 'GET', path: '/v1beta/cachedContents/{id}', admission: 'counted', serve: read },
  { method: 'DELETE', path: '/v1beta/cachedContents/{id}', admission: 'counted', serve: remove },
]
