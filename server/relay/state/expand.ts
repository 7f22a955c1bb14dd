import type { Context } from '#server/context.ts'
import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { JsonBody } from '#server/relay/request/ask.ts'
import { isItemReference } from '#server/relay/request/item-references.ts'
import { bodyBytesMax } from '#server/relay/request/unpack.ts'
import { isOwn, openConversation, openResponse, outputOf, replayed } from './own-response.ts'
import { findState, prolongState, type StateRow } from './state.store.ts'

const longestChain = 2000

/** Counts the characters that are inserted, so that the result stays below the largest body a client may send. */
type Count = (length: number) => void

function createCount(): Count {
  let left = bodyBytesMax
  return (length) => {
    left -= length
    if (left < 0) throw refuse('tooLarge', { most: `${bodyBytesMax / 1024 / 1024} MB with all that it refers to` })
  }
}

/** Approximate length of the sealed text. */
const sealedLength = ({ body_sealed }: StateRow): number => Math.floor((body_sealed.length * 3) / 4)

interface Turns {
  readonly items: readonly JsonObject[]
  /** The response at a vendor that comes before these turns, if there is one. */
  readonly held?: StateRow
}

/** All turns up to a response that the relay keeps, oldest first. Their expiry is extended. */
async function turnsUpTo(ctx: Context, row: StateRow, now: number, count: Count): Promise<Turns> {
  const turns: JsonObject[][] = []
  const seen = new Set<string>()
  let at: StateRow | undefined = row
  while (at && isOwn(at) && !seen.has(at.id) && seen.size < longestChain) {
    seen.add(at.id)
    count(sealedLength(at))
    const own = openResponse(ctx.secrets, at)
    turns.unshift([...own.input, ...outputOf(own)])
    if (own.previous === '') break
    const [before]: StateRow[] = await findState(ctx.database.db, row.user_id, [own.previous], now)
    if (!before) throw refuse('stateUnknown', { param: 'previous_response_id', id: own.previous })
    at = before
  }
  await prolongState(ctx.database.db, row.user_id, [...seen], row.expires_at)
  return { items: turns.flat(), ...(at && !isOwn(at) ? { held: at } : {}) }
}

interface KeptItem {
  readonly item: JsonObject
  readonly length: number
}

/** The items the relay keeps, by id. A response is opened once, however many of its items are referred to. */
async function keptItems(ctx: Context, rows: readonly StateRow[], now: number): Promise<Map<string, KeptItem>> {
  const found = new Map<string, KeptItem>()
  for (const [parentId, wanted] of Map.groupBy(rows, ({ parent }) => parent)) {
    const [parent] = await findState(ctx.database.db, wanted[0]?.user_id ?? 0, [parentId], now)
    if (!parent || !isOwn(parent)) continue
    const own = openResponse(ctx.secrets, parent)
    const items = Map.groupBy([...outputOf(own), ...own.input], (item) => item.id)
    for (const { id } of wanted) {
      const [item] = items.get(id) ?? []
      if (item) found.set(id, { item: replayed(item), length: JSON.stringify(item).length })
    }
  }
  return found
}

/** A body without references that only the relay can resolve. */
export interface Expanded {
  readonly body: JsonBody
  readonly held: readonly StateRow[]
}

/** Replaces every reference to something the relay keeps by its content, so that any channel understands the body. */
export async function expanded(
  ctx: Context,
  body: JsonBody,
  known: ReadonlyMap<string, StateRow>,
  now: number,
): Promise<Expanded> {
  const { previous_response_id, conversation, input, ...rest } = body
  const previous = known.get(textOf(previous_response_id) ?? '')
  const talk = known.get(textOf(objectOf(conversation)?.id ?? conversation) ?? '')
  const ownPrevious = previous && isOwn(previous) ? previous : undefined
  const ownTalk = talk && isOwn(talk) ? talk : undefined
  const count = createCount()
  const before: Turns = ownPrevious ? await turnsUpTo(ctx, ownPrevious, now, count) : { items: [] }
  const onward = ownPrevious ? before.held?.id : previous_response_id
  if (ownTalk) count(sealedLength(ownTalk))
  const said = ownTalk ? openConversation(ctx.secrets, ownTalk).items : []
  const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : arrayOf(input)
  const kept = await keptItems(
    ctx,
    [...known.values()].filter(({ channel_id, parent }) => channel_id === 0 && parent !== ''),
    now,
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
    count(found.length)
    own.push(found.item)
  }
  const whole = {
    ...rest,
    ...(onward === undefined ? {} : { previous_response_id: onward }),
    ...(ownTalk || conversation === undefined ? {} : { conversation }),
    input: [...before.items.map(replayed), ...said.map(replayed), ...own] as JsonBody['input'],
  }
  return { body: whole, held: before.held ? [before.held] : [] }
}
