import { refuse } from '#server/relay/refusals.ts'

/** The most messages, items, parts and tools of a request together; the longest conversations that models take have fewer. */
export const elementsMost = 20_000

/** Vendors take a few hundred; each holds a schema. */
const toolsMost = 2000

export function refuseManyElements(count: number): void {
  if (count > elementsMost) throw refuse('tooManyElements', { most: elementsMost.toLocaleString('en-US') })
}

/**
 * Reading an element takes microseconds, and nobody else is answered meanwhile: lists are counted before they are read. `tokens` are
 * numbers that stand for a text; they are read at once and do not count.
 */
export function refuseLongLists(body: Readonly<Record<string, unknown>>, tokens = false): void {
  if (Array.isArray(body.tools) && body.tools.length > toolsMost)
    throw refuse('tooManyTools', { most: toolsMost.toLocaleString('en-US') })
  let count = 0
  for (const list of Object.values(body)) {
    if (!Array.isArray(list)) continue
    count += tokens ? list.filter((entry) => typeof entry !== 'number').length : list.length
    refuseManyElements(count)
    for (const entry of list) {
      if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) continue
      for (const inner of Object.values(entry)) if (Array.isArray(inner)) count += inner.length
      refuseManyElements(count)
    }
  }
}
