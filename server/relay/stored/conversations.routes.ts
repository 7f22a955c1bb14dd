import { epochSeconds } from '#server/context.ts'
import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { timeOrderedId } from '#server/lib/random.ts'
import { show } from '#server/relay/lookups/show.ts'
import { unpricedIn } from '#server/relay/metering/asked-extras.ts'
import { RelayFault, refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { type JsonBody, readJsonObject } from '#server/relay/request/ask.ts'
import { readText } from '#server/relay/request/body.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { RelayRoute } from '#server/relay/request/relay-route.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { admitPaying } from '#server/relay/settlement/admit-body.ts'
import { conversationDays, stateRow } from '#server/relay/state/keep-answer.ts'
import { dropItem, findItem, itemsAt } from '#server/relay/state/kept-items.store.ts'
import {
  addToConversation,
  changeMetadata,
  inRows,
  metadataOf,
  openItem,
  sealMetadata,
} from '#server/relay/state/own-conversation.ts'
import { isOwn, itemsOfInput } from '#server/relay/state/own-response.ts'
import { rowsFor } from '#server/relay/state/resolve-state.ts'
import { requireRoom } from '#server/relay/state/room.ts'
import { dropState, keepState, type StateRow } from '#server/relay/state/state.store.ts'
import { queryForVendor } from '#server/relay/upstream/query-for-vendor.ts'
import { named } from '#server/relay/upstream/vendor-thing.ts'
import { askKeeper, askStore, mine, storeFor, storeForAll } from './held-by-vendor.ts'
import { listed } from './listed.ts'
import { endsOf, limitIn, openaiPlace } from './pages.ts'

/** The most items of one call. */
const itemsMost = 100_000

/** Reads the body of a call that makes `added` conversations, and checks that everything in it belongs to the caller. */
async function readBody(
  context: RelayContext,
  inbound: InboundRequest,
  caller: Caller,
  added: number,
): Promise<JsonBody> {
  await admitPaying(context, inbound, caller)
  await requireRoom(context, caller.userId, 'conversation', added)
  const text = await readText(inbound)
  const body = text === '' ? {} : readJsonObject(text)
  if (arrayOf(body.items).length > itemsMost)
    throw refuse('tooManyElements', { most: itemsMost.toLocaleString('en-US') })
  await rowsFor(context, caller, 'openai-responses', { text, body: { ...body, input: body.items } })
  const extra = unpricedIn(body.items)
  if (extra) throw refuse('extraUnpriced', { model: 'of a conversation', extra })
  return body
}

const shown = (id: string, created_at: number, metadata: JsonObject): JsonObject => ({
  id,
  object: 'conversation',
  created_at,
  metadata,
})

const create: RelayRoute['serve'] = async (context, inbound) => {
  const { ctx } = context
  const caller = await context.callers.identify(inbound)
  const body = await readBody(context, inbound, caller, 1)
  const now = epochSeconds(ctx)
  const kept = { userId: caller.userId, kind: 'conversation', now, days: conversationDays } as const
  const isKeptHere = ctx.options().ResponseRetentionDays > 0
  const channel = await (isKeptHere ? storeForAll : storeFor)(context, caller, 'conversations')
  const made = channel && (await madeBy(context, inbound, channel, body))
  if (made) {
    const id = textOf(named(made).id) ?? ''
    const held = { channel_id: channel.id, key_hash: ctx.secrets.hash(channel.key) }
    await keepState(ctx.database.db, [stateRow({ ...kept, id }, held)])
    return show(made)
  }
  if (!isKeptHere) throw refuse('unsupported', { model: 'conversations' })
  const id = `conv_${inbound.id}`
  const metadata = objectOf(body.metadata) ?? {}
  await keepState(ctx.database.db, [stateRow({ ...kept, id }, { body_sealed: sealMetadata(ctx, metadata) })])
  try {
    await addToConversation(ctx, { user_id: caller.userId, id }, itemsOfInput(body.items ?? [], inbound.id))
  } catch (error) {
    await dropState(ctx.database.db, caller.userId, id)
    throw error
  }
  return show(shown(id, now, metadata))
}

/** Undefined from servers in OpenAI's shape that have no conversations. */
async function madeBy(context: RelayContext, inbound: InboundRequest, channel: RoutedChannel, body: JsonBody) {
  try {
    return await askStore(context, inbound, channel, { method: 'POST', path: '/conversations', body })
  } catch (error) {
    if (error instanceof RelayFault && (error.fault.status === 404 || error.fault.status === 405)) return undefined
    throw error
  }
}

/** A call about a conversation the relay keeps. */
interface About {
  readonly inbound: InboundRequest
  readonly row: StateRow
  readonly body: JsonBody
  readonly item: string
}

/**
 * A call about one conversation: answered here when the relay keeps it, else by who does. Servers that read an encoded slash as
 * one could be led to what belongs to others, so the name of an item is one.
 */
const about =
  (
    method: RelayRoute['method'],
    tail: string,
    own: (context: RelayContext, about: About) => Promise<unknown>,
  ): RelayRoute['serve'] =>
  async (context, inbound, { id = '', item = '' }) => {
    const caller = await context.callers.identify(inbound)
    const row = await mine(context, caller, 'conversation', id)
    const body = method === 'POST' ? await readBody(context, inbound, caller, 0) : undefined
    if (isOwn(row)) {
      await inRows(context.ctx, row)
      return show(await own(context, { inbound, row, body: body ?? {}, item }))
    }
    if (!/^[\w.:-]*$/.test(item)) throw refuse('stateUnknown', { param: 'item', id: item })
    const path = `/conversations/${id}${tail.replace('{item}', item)}${queryForVendor(inbound)}`
    const answer = await askKeeper(context, inbound, row, { method, path, body })
    if (method === 'DELETE' && tail === '') await dropState(context.ctx.database.db, row.user_id, id)
    return show(answer)
  }

const read = about('GET', '', async ({ ctx }, { row }) => shown(row.id, row.created_at, metadataOf(ctx, row)))

const update = about('POST', '', async ({ ctx }, { row, body }) => {
  const metadata = objectOf(body.metadata) ?? {}
  await changeMetadata(ctx, row, metadata)
  return shown(row.id, row.created_at, metadata)
})

const remove = about('DELETE', '', async ({ ctx }, { row }) => {
  await dropState(ctx.database.db, row.user_id, row.id)
  return { id: row.id, object: 'conversation.deleted', deleted: true }
})

const items = about('GET', '/items', async ({ ctx }, { inbound, row }) => {
  const { searchParams: query } = inbound.url
  const place = openaiPlace(query, limitIn(query, 'limit', 20, 100))
  // One more tells whether the list goes on.
  const found = await itemsAt(ctx.database.db, row, { ...place, limit: place.limit + 1 })
  const data = found.slice(0, place.limit).map((item) => openItem(ctx, item))
  return { object: 'list', data, ...endsOf(data), has_more: found.length > place.limit }
})

const addItems = about('POST', '/items', async ({ ctx }, { row, body }) => {
  const added = itemsOfInput(arrayOf(body.items), timeOrderedId(ctx.clock()))
  await addToConversation(ctx, row, added)
  return listed(added, new URLSearchParams({ order: 'asc', limit: '100' }))
})

const readItem = about('GET', '/items/{item}', async ({ ctx }, { row, item }) => {
  const found = await findItem(ctx.database.db, row, item)
  if (!found) throw refuse('stateUnknown', { param: 'item', id: item })
  return openItem(ctx, found)
})

const removeItem = about('DELETE', '/items/{item}', async ({ ctx }, { row, item }) => {
  await dropItem(ctx.database.db, row, item)
  return shown(row.id, row.created_at, metadataOf(ctx, row))
})

/** Conversations, kept by OpenAI where one of its channels within reach carries all they may go on with, else here. */
export const conversationRoutes: readonly RelayRoute[] = [
  { method: 'POST', path: '/v1/conversations', admission: 'counted', serve: create },
  { method: 'GET', path: '/v1/conversations/{id}', admission: 'counted', serve: read },
  { method: 'POST', path: '/v1/conversations/{id}', admission: 'counted', serve: update },
  { method: 'DELETE', path: '/v1/conversations/{id}', admission: 'counted', serve: remove },
  { method: 'GET', path: '/v1/conversations/{id}/items', admission: 'counted', serve: items },
  { method: 'POST', path: '/v1/conversations/{id}/items', admission: 'counted', serve: addItems },
  { method: 'GET', path: '/v1/conversations/{id}/items/{item}', admission: 'counted', serve: readItem },
  { method: 'DELETE', path: '/v1/conversations/{id}/items/{item}', admission: 'counted', serve: removeItem },
]
