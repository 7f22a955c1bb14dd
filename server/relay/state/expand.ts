import type { Context } from '#server/context.ts'
import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { createPace } from '#server/lib/turns/work-turns.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { JsonBody } from '#server/relay/request/ask.ts'
import { isItemReference } from '#server/relay/request/item-references.ts'
import { refuseManyElements } from '#server/relay/request/long-lists.ts'
import { bodyBytesMax } from '#server/relay/request/unpack.ts'
import { allItems } from './kept-items.store.ts'
import { inRows, openItem } from './own-conversation.ts'
import { isOwn, type OwnResponse, openResponse, outputOf, replayed } from './own-response.ts'
import { findHeads, findState, prolongState, type StateHead } from './state.store.ts'

const longestChain = 2000
/** Inserted for a caller whose money nobody has looked at yet. */
const freeBytes = 64 * 1024
/** What reading something counts beside its length. */
const eachBytes = 1024

/**
 * Counts what is inserted before it is read, so that the result stays below the largest body a client may send. What is more than a
 * little is inserted only for who has money, and gives way to others.
 */
type Count = (length: number) => Promise<void>

function createCount(requireFunds: () => Promise<void>): Count {
  const pace = createPace()
  let bytes = 0
  let isFunded = false
  return async (length) => {
    bytes += length + eachBytes
    if (bytes > bodyBytesMax)
      throw refuse('tooLarge', { most: `${bodyBytesMax / 1024 / 1024} MB with all that it refers to` })
    if (bytes > freeBytes && !isFunded) {
      await requireFunds()
      isFunded = true
    }
    if (pace.isDue()) await pace.giveWay()
  }
}

/** Approximate length of a sealed text. */
const openedLength = (sealed: number): number => Math.floor((sealed * 3) / 4)

interface Turns {
  readonly items: readonly JsonObject[]
  /** The response at a vendor that comes before these turns, if there is one. */
  readonly held?: StateHead
}

/** Reads a response that the relay keeps, once it is counted. */
async function openOwn(ctx: Context, head: StateHead, now: number, count: Count): Promise<OwnResponse | undefined> {
  await count(openedLength(head.size))
  const [row] = await findState(ctx.database.db, head.user_id, [head.id], now)
  return row && openResponse(ctx.secrets, row)
}

/** All turns up to a response that the relay keeps, oldest first. Their expiry is extended. */
async function turnsUpTo(ctx: Context, row: StateHead, now: number, count: Count): Promise<Turns> {
  const turns: JsonObject[][] = []
  const seen = new Set<string>()
  let at: StateHead | undefined = row
  while (at && isOwn(at) && !seen.has(at.id) && seen.size < longestChain) {
    seen.add(at.id)
    const own = await openOwn(ctx, at, now, count)
    if (!own) throw refuse('stateUnknown', { param: 'previous_response_id', id: at.id })
    turns.push([...own.input, ...outputOf(own)])
    if (own.previous === '') break
    const [before]: StateHead[] = await findHeads(ctx.database.db, row.user_id, [own.previous], now)
    if (!before) throw refuse('stateUnknown', { param: 'previous_response_id', id: own.previous })
    at = before
  }
  await prolongState(ctx.database.db, row.user_id, [...seen], row.expires_at)
  return { items: turns.reverse().flat(), ...(at && !isOwn(at) ? { held: at } : {}) }
}

/** All items of a conversation that the relay keeps. */
async function itemsIn(ctx: Context, talk: StateHead, now: number, count: Count): Promise<JsonObject[]> {
  await count(talk.items < 0 ? openedLength(talk.size) : talk.items_bytes)
  if (talk.items < 0) {
    const [row] = await findState(ctx.database.db, talk.user_id, [talk.id], now)
    if (row) await inRows(ctx, row)
  }
  const items: JsonObject[] = []
  const pace = createPace()
  for await (const item of allItems(ctx.database.db, talk)) {
    items.push(openItem(ctx, item))
    refuseManyElements(items.length)
    if (pace.isDue()) await pace.giveWay()
  }
  return items
}

interface KeptItem {
  readonly item: JsonObject
  readonly length: number
}

/** The items the relay keeps, by id. A response is opened once, however many of its items are referred to. */
async function keptItems(
  ctx: Context,
  rows: readonly StateHead[],
  now: number,
  count: Count,
): Promise<Map<string, KeptItem>> {
  const found = new Map<string, KeptItem>()
  const byParent = Map.groupBy(rows, ({ parent }) => parent)
  const parents = await findHeads(ctx.database.db, rows[0]?.user_id ?? 0, [...byParent.keys()], now)
  for (const parent of parents) {
    const own = isOwn(parent) ? await openOwn(ctx, parent, now, count) : undefined
    if (!own) continue
    const items = Map.groupBy([...outputOf(own), ...own.input], (item) => item.id)
    for (const { id } of byParent.get(parent.id) ?? []) {
      const [item] = items.get(id) ?? []
      if (item) found.set(id, { item: replayed(item), length: JSON.stringify(item).length })
    }
  }
  return found
}

/** A body without references that only the relay can resolve. */
export interface Expanded {
  readonly body: JsonBody
  readonly held: readonly StateHead[]
}

interface Known {
  readonly rows: ReadonlyMap<string, StateHead>
  readonly now: number
  /** Refuses a caller without money, or beyond his limits. */
  requireFunds(): Promise<void>
}

/** Replaces every reference to something the relay keeps by its content, so that any channel understands the body. */
export async function expanded(
  ctx: Context,
  body: JsonBody,
  { rows: known, now, requireFunds }: Known,
): Promise<Expanded> {
  const { previous_response_id, conversation, input, ...rest } = body
  const previous = known.get(textOf(previous_response_id) ?? '')
  const talk = known.get(textOf(objectOf(conversation)?.id ?? conversation) ?? '')
  const ownPrevious = previous && isOwn(previous) ? previous : undefined
  const ownTalk = talk && isOwn(talk) ? talk : undefined
  const count = createCount(requireFunds)
  const before: Turns = ownPrevious ? await turnsUpTo(ctx, ownPrevious, now, count) : { items: [] }
  const onward = ownPrevious ? before.held?.id : previous_response_id
  const said = ownTalk ? await itemsIn(ctx, ownTalk, now, count) : []
  const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : arrayOf(input)
  const kept = await keptItems(
    ctx,
    [...known.values()].filter(({ channel_id, parent }) => channel_id === 0 && parent !== ''),
    now,
    count,
  )
  const own: unknown[] = []
  for (const entry of items) {
    const item = objectOf(entry) ?? {}
    const row = isItemReference(item) ? known.get(textOf(item.id) ?? '') : undefined
    if (row?.channel_id !== 0) {
      own.push(entry)
      continue
    }
    const found = kept.get(row.id)
    if (!found) throw refuse('stateUnknown', { param: 'input', id: row.id })
    await count(found.length)
    own.push(found.item)
  }
  refuseManyElements(before.items.length + said.length + own.length)
  const whole = {
    ...rest,
    ...(onward === undefined ? {} : { previous_response_id: onward }),
    ...(ownTalk || conversation === undefined ? {} : { conversation }),
    input: [...before.items.map(replayed), ...said.map(replayed), ...own] as JsonBody['input'],
  }
  return { body: whole, held: before.held ? [before.held] : [] }
}
