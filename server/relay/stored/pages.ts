import { type JsonObject, textOf } from '#server/lib/json.ts'
import type { ListPlace } from '#server/relay/state/list-place.ts'

/** Things that are listed, from a place on. */
export type Listing = (place: ListPlace) => AsyncIterable<JsonObject>

const idOf = (thing: JsonObject | undefined): string | null => textOf(thing?.id) ?? null

export function limitIn(query: URLSearchParams, name: string, usual: number, most: number): number {
  const asked = Number(query.get(name) ?? usual)
  return Number.isInteger(asked) && asked > 0 ? Math.min(asked, most) : usual
}

/** Newest first unless asked otherwise, after an id. */
export const openaiPlace = (query: URLSearchParams, limit: number): ListPlace => ({
  order: query.get('order') === 'asc' ? 'asc' : 'desc',
  after: query.get('after'),
  limit,
})

async function pageAt(things: Listing, place: ListPlace): Promise<{ data: JsonObject[]; has_more: boolean }> {
  const data: JsonObject[] = []
  for await (const thing of things(place)) {
    if (data.length === place.limit) return { data, has_more: true }
    data.push(thing)
  }
  return { data, has_more: false }
}

/** What OpenAI and Anthropic say of the ends of a page. */
export const endsOf = (data: readonly JsonObject[]) => ({ first_id: idOf(data[0]), last_id: idOf(data.at(-1)) })

/** A page as OpenAI lists things. */
export async function openaiPage(things: Listing, query: URLSearchParams, usual: number): Promise<JsonObject> {
  const { data, has_more } = await pageAt(things, openaiPlace(query, limitIn(query, 'limit', usual, 10_000)))
  return { object: 'list', data, ...endsOf(data), has_more }
}

/** A page as Anthropic lists things: newest first, before or after an id. Its clients follow `last_id` or `next_page`. */
export async function anthropicPage(things: Listing, query: URLSearchParams): Promise<JsonObject> {
  const limit = limitIn(query, 'limit', 20, 1000)
  const before = query.get('before_id')
  const place: ListPlace =
    before === null
      ? { order: 'desc', after: query.get('after_id') ?? query.get('page'), limit }
      : { order: 'asc', after: before, limit }
  const { data, has_more } = await pageAt(things, place)
  if (before !== null) data.reverse()
  const ends = endsOf(data)
  return { data, has_more, ...ends, next_page: before === null && has_more ? ends.last_id : null }
}

/** A page as Google lists things, newest first; the token of a page is the name of the last thing before it. */
export async function geminiPage(things: Listing, query: URLSearchParams, field: string): Promise<JsonObject> {
  const limit = limitIn(query, 'pageSize', 50, 100)
  const { data, has_more } = await pageAt(things, { order: 'desc', after: query.get('pageToken'), limit })
  const last = textOf(data.at(-1)?.name)
  return { [field]: data, ...(last && has_more ? { nextPageToken: last } : {}) }
}
