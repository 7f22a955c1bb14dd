import type { JsonObject } from '#server/lib/json.ts'

const mostListed = 100

/** A page of items as OpenAI lists them: newest first unless asked otherwise, after an id, at most a hundred. */
export function listed(items: readonly JsonObject[], query: URLSearchParams): JsonObject {
  const asked = Number(query.get('limit') ?? 20)
  const limit = Number.isInteger(asked) && asked > 0 ? Math.min(asked, mostListed) : 20
  const ordered = query.get('order') === 'asc' ? [...items] : items.toReversed()
  const after = query.get('after')
  const from = after === null ? 0 : ordered.findIndex((item) => item.id === after) + 1
  const data = ordered.slice(from, from + limit)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length,
  }
}
