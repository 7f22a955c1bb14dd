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
import { changeConversation, sealConversation } from '#server/relay/state/own-conversation.ts'
import { isOwn, itemsOfInput, type OwnConversation, openConversation } from '#server/relay/state/own-response.ts'
import { rowsFor } from '#server/relay/state/resolve-state.ts'
import { requireRoom } from '#server/relay/state/room.ts'
import { dropState, keepState, type StateRow } from '#server/relay/state/state.store.ts'
import { queryForVendor } from '#server/relay/upstream/query-for-vendor.ts'
import { named } from '#server/relay/upstream/vendor-thing.ts'
import { askKeeper, askStore, mine, storeFor, storeForAll } from './held-by-vendor.ts'
import { listed } from './listed.ts'

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
  await rowsFor(context, caller, 'openai-responses', { text, body: { ...body, input: body.items } })
  const extra = unpricedIn(body.items)
  if (extra) throw refuse('extraUnpriced', { model: 'of a conversation', extra })
  return body
}

const shown = (id: string, { created, metadata }: Pick<OwnConversation, 'created' | 'metadata'>): JsonObject => ({
  id,
  object: 'conversation',
  created_at: created,
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
  const sealed = sealConversation(ctx, { metadata, items: itemsOfInput(body.items ?? [], inbound.id) })
  await keepState(ctx.database.db, [stateRow({ ...kept, id }, { body_sealed: sealed })])
  return show(shown(id, { created: now, metadata }))
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
    if (isOwn(row)) return show(await own(context, { inbound, row, body: body ?? {}, item }))
    if (!/^[\w.:-]*$/.test(item)) throw refuse('stateUnknown', { param: 'item', id: item })
    const path = `/conversations/${id}${tail.replace('{item}', item)}${queryForVendor(inbound)}`
    const answer = await askKeeper(context, inbound, row, { method, path, body })
    if (method === 'DELETE' && tail === '') await dropState(context.ctx.database.db, row.user_id, id)
    return show(answer)
  }

const read = about('GET', '', async ({ ctx }, { row }) => shown(row.id, openConversation(ctx.secrets, row)))

const update = about('POST', '', async ({ ctx }, { row, body }) => {
  const metadata = objectOf(body.metadata) ?? {}
  await changeConversation(ctx, row.user_id, row.id, (own) => ({ ...own, metadata }))
  return shown(row.id, { created: row.created_at, metadata })
})

const remove = about('DELETE', '', async ({ ctx }, { row }) => {
  await dropState(ctx.database.db, row.user_id, row.id)
  return { id: row.id, object: 'conversation.deleted', deleted: true }
})

const items = about('GET', '/items', async ({ ctx }, { inbound, row }) =>
  listed(openConversation(ctx.secrets, row).items, inbound.url.searchParams),
)

const addItems = about('POST', '/items', async ({ ctx }, { row, body }) => {
  const added = itemsOfInput(arrayOf(body.items), timeOrderedId(ctx.clock()))
  await changeConversation(ctx, row.user_id, row.id, (own) => ({ ...own, items: [...own.items, ...added] }))
  return listed(added, new URLSearchParams({ order: 'asc', limit: '100' }))
})

const readItem = about('GET', '/items/{item}', async ({ ctx }, { row, item }) => {
  const found = openConversation(ctx.secrets, row).items.find(({ id }) => id === item)
  if (!found) throw refuse('stateUnknown', { param: 'item', id: item })
  return found
})

const removeItem = about('DELETE', '/items/{item}', async ({ ctx }, { row, item }) => {
  const without = ({ id }: JsonObject) => id !== item
  await changeConversation(ctx, row.user_id, row.id, (own) => ({ ...own, items: own.items.filter(without) }))
  return shown(row.id, openConversation(ctx.secrets, row))
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
