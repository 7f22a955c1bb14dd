import { arrayOf, type JsonObject, objectOf } from '#server/lib/json.ts'
import type { Body } from './provider.ts'

/** What becomes of an entry of a list; null when it is left out. */
export type EntryChange = (part: JsonObject) => JsonObject | null

/** The list with each part changed or, for null, left out; the same list when nothing changed. */
function changed(list: readonly unknown[], change: EntryChange): readonly unknown[] {
  let kept: unknown[] | null = null
  for (let at = 0; at < list.length; at += 1) {
    const value = list[at]
    const part = objectOf(value)
    const own = part ? change(part) : value
    if (own !== value) kept ??= list.slice(0, at)
    if (own !== null) kept?.push(own)
  }
  return kept ?? list
}

/** A body with a list of its own changed; the same body when nothing changed. */
export const withList = (body: Body, field: string, change: EntryChange): Body => {
  const list = arrayOf(body[field])
  const kept = changed(list, change)
  return kept === list ? body : ({ ...body, [field]: kept } as Body)
}

/** A message with its parts changed; null when nothing is left of it. */
export const inside =
  (field: string, change: EntryChange): EntryChange =>
  (message) => {
    const list = message[field]
    if (!Array.isArray(list)) return message
    const kept = changed(list, change)
    if (kept === list) return message
    return kept.length === 0 ? null : { ...message, [field]: kept }
  }
