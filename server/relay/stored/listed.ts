import type { JsonObject } from '#server/lib/json.ts'
import { endsOf, limitIn, openaiPlace } from './pages.ts'

/** A page of items as OpenAI lists them; they come oldest first. */
export function listed(items: readonly JsonObject[], query: URLSearchParams): JsonObject {
  const { order, after, limit } = openaiPlace(query, limitIn(query, 'limit', 20, 100))
  const ordered = order === 'asc' ? items : items.toReversed()
  const from = after === null ? 0 : ordered.findIndex((item) => item.id === after) + 1
  const data = ordered.slice(from, from + limit)
  return { object: 'list', data, ...endsOf(data), has_more: from + limit < ordered.length }
}
