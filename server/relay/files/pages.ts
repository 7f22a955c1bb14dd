import { type JsonObject, textOf } from '#server/lib/json.ts'

const idOf = (thing: JsonObject | undefined): string | null => textOf(thing?.id) ?? null

function limitIn(query: URLSearchParams, name: string, usual: number, most: number): number {
  const asked = Number(query.get(name) ?? usual)
  return Number.isInteger(asked) && asked > 0 ? Math.min(asked, most) : usual
}

/** A page as OpenAI lists things: newest first unless asked otherwise, after an id. `things` come newest first. */
export function openaiPage(things: readonly JsonObject[], query: URLSearchParams, usual: number): JsonObject {
  const limit = limitIn(query, 'limit', usual, 10_000)
  const ordered = query.get('order') === 'asc' ? things.toReversed() : things
  const after = query.get('after')
  const from = after === null ? 0 : ordered.findIndex((thing) => thing.id === after) + 1
  const data = ordered.slice(from, from + limit)
  return {
    object: 'list',
    data,
    first_id: idOf(data[0]),
    last_id: idOf(data.at(-1)),
    has_more: from + limit < ordered.length,
  }
}

/** A page as Anthropic lists things: newest first, before or after an id. */
export function anthropicPage(things: readonly JsonObject[], query: URLSearchParams): JsonObject {
  const limit = limitIn(query, 'limit', 20, 1000)
  const [after, before] = [query.get('after_id'), query.get('before_id')]
  const end = before === null ? things.length : things.findIndex((thing) => thing.id === before)
  const from = before !== null ? Math.max(0, end - limit) : things.findIndex((thing) => thing.id === after) + 1
  const data = things.slice(from, before === null ? from + limit : end)
  const has_more = before === null ? from + limit < things.length : from > 0
  return { data, has_more, first_id: idOf(data[0]), last_id: idOf(data.at(-1)) }
}

/** A page as Google lists things, newest first; the token of a page is the name of the last thing before it. */
export function geminiPage(things: readonly JsonObject[], query: URLSearchParams, field: string): JsonObject {
  const limit = limitIn(query, 'pageSize', 50, 100)
  const token = query.get('pageToken')
  const from = token === null ? 0 : things.findIndex(({ name }) => name === token) + 1
  const page = things.slice(from, from + limit)
  const last = textOf(page.at(-1)?.name)
  return { [field]: page, ...(last && from + limit < things.length ? { nextPageToken: last } : {}) }
}
