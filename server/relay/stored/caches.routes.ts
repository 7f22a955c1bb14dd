import { epochSeconds } from '#server/context.ts'
import { show } from '#server/relay/lookups/show.ts'
import { RelayFault } from '#server/relay/refusals.ts'
import type { RelayRoute } from '#server/relay/request/relay-route.ts'
import { dropState, listState } from '#server/relay/state/state.store.ts'
import { askKeeper, mine } from './held-by-vendor.ts'

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

const mostListed = 50

/** One's own only; what its vendor has let go is left out. */
const list: RelayRoute['serve'] = async (context, inbound) => {
  const { ctx } = context
  const caller = await context.callers.identify(inbound)
  const rows = await listState(ctx.database.db, caller.userId, 'cache', epochSeconds(ctx))
  const found = await Promise.all(
    rows.slice(0, mostListed).map((row) =>
      askKeeper(context, inbound, row, { method: 'GET', path: `/${row.id}` }).catch((error) => {
        if (error instanceof RelayFault) return null
        throw error
      }),
    ),
  )
  return show({ cachedContents: found.filter((each) => each !== null) })
}

/** What callers had Google keep for them; creating it is a door, for it costs. */
export const cacheRoutes: readonly RelayRoute[] = [
  { method: 'GET', path: '/v1beta/cachedContents', serve: list },
  { method: 'GET', path: '/v1beta/cachedContents/{id}', serve: read },
  { method: 'DELETE', path: '/v1beta/cachedContents/{id}', serve: remove },
]
