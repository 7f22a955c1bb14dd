import type { Context } from '#server/context.ts'
import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { JsonBody } from '#server/relay/request/ask.ts'
import { isOwn, openConversation, openResponse, outputOf, replayed } from './own-response.ts'
import { isItemReference } from './referred-ids.ts'
import { findState, prolongState, type StateRow } from './state.store.ts'

const longestChain = 2000

interface Turns {
  readonly items: readonly JsonObject[]
  /** The response of a vendor that they go on from. */
  readonly held?: StateRow
}

/** All turns up to a response that the relay keeps, oldest first. What is used goes on living. */
async function turnsUpTo(ctx: Context, row: StateRow, now: number): Promise<Turns> {
  const turns: JsonObject[][] = []
  const seen = new Set<string>()
  let at: StateRow | undefined = row
  while (at && isOwn(at) && !seen.has(at.id) && seen.size < longestChain) {
    seen.add(at.id)
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

async function itemOf(ctx: Context, row: StateRow, now: number): Promise<JsonObject | undefined> {
  const [parent] = await findState(ctx.database.db, row.user_id, [row.parent], now)
  if (!parent || !isOwn(parent)) return undefined
  const own = openResponse(ctx.secrets, parent)
  return [...outputOf(own), ...own.input].find((item) => item.id === row.id)
}

/** A body in which nothing is left that only the relay knows. */
export interface Expanded {
  readonly body: JsonBody
  readonly held: readonly StateRow[]
}

/** The body with everything the relay keeps put where it is spoken of, so that any channel understands it. */
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
  const before: Turns = ownPrevious ? await turnsUpTo(ctx, ownPrevious, now) : { items: [] }
  const onward = ownPrevious ? before.held?.id : previous_response_id
  const said = ownTalk ? openConversation(ctx.secrets, ownTalk).items : []
  const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : arrayOf(input)
  const own: unknown[] = []
  for (const entry of items) {
    const item = objectOf(entry) ?? {}
    const row = isItemReference(item) ? known.get(textOf(item.id) ?? '') : undefined
    if (row?.channel_id !== 0) {
      own.push(entry)
      continue
    }
    const found = await itemOf(ctx, row, now)
    if (!found) throw refuse('stateUnknown', { param: 'input', id: row.id })
    own.push(replayed(found))
  }
  const whole = {
    ...rest,
    ...(onward === undefined ? {} : { previous_response_id: onward }),
    ...(ownTalk || conversation === undefined ? {} : { conversation }),
    input: [...before.items.map(replayed), ...said.map(replayed), ...own] as JsonBody['input'],
  }
  return { body: whole, held: before.held ? [before.held] : [] }
}
