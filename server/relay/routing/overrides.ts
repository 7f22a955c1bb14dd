import { objectOf, parseObject } from '#server/lib/json.ts'

type Fields = Readonly<Record<string, unknown>>

/** Changes to top-level fields of the body a channel sends. */
export interface Overrides {
  readonly set: Fields
  readonly default: Fields
  readonly remove: readonly string[]
}

/** Reads stored overrides, which were checked when they were saved; null when there is nothing to change. */
export function readOverrides(text: string): Overrides | null {
  if (text.trim() === '') return null
  const { set, default: fallback, remove } = parseObject(text)
  return {
    set: objectOf(set) ?? {},
    default: objectOf(fallback) ?? {},
    remove: Array.isArray(remove) ? remove.filter((name) => typeof name === 'string') : [],
  }
}

/** Limits of the answer. The hold was made for the limit that is sent, so a channel may lower it but neither raise nor remove it. */
const limits = /^(max_?(completion_?|output_?|new_?)?tokens|num_predict)$/i
/** The number of answers is part of the price, so it stays. */
const counts = /^candidate_?count$/i

/** The lowest limit anywhere in a value; infinite where there is none. */
function lowestIn(value: unknown): number {
  const fields = Object.entries(objectOf(value) ?? {})
  return Math.min(
    Number.POSITIVE_INFINITY,
    ...fields.map(([name, inner]) => (limits.test(name) && typeof inner === 'number' ? inner : lowestIn(inner))),
  )
}

/** The new value of a field, as far as the hold allows it. `most` is the lowest limit of the whole body. */
function kept(name: string, before: unknown, after: unknown, most: number): unknown {
  if (counts.test(name)) return before
  if (limits.test(name)) {
    const least = typeof before === 'number' ? before : most
    if (typeof after === 'number') return Math.min(after, least)
    return typeof before === 'number' ? before : after
  }
  const was = objectOf(before)
  const is = objectOf(after)
  if (!was && !is) return after
  const fields: Record<string, unknown> = {}
  for (const inner of Object.keys({ ...is, ...was })) {
    const value = kept(inner, was?.[inner], is?.[inner], most)
    if (value !== undefined) fields[inner] = value
  }
  return !is && Object.keys(fields).length === 0 ? after : fields
}

/** The body with the changes made: taken out first, then set, then filled in. */
export const overridden = (body: string, overrides: Overrides): string =>
  JSON.stringify(overriddenFields(parseObject(body), overrides))

/** The same of a body that was read. */
export function overriddenFields(before: Fields, { set, default: fallback, remove }: Overrides): Fields {
  const fields: Record<string, unknown> = { ...before }
  for (const name of remove) delete fields[name]
  Object.assign(fields, set)
  for (const [name, value] of Object.entries(fallback)) if (fields[name] === undefined) fields[name] = value
  const most = lowestIn(before)
  for (const name of [...remove, ...Object.keys(set), ...Object.keys(fallback)]) {
    const value = kept(name, before[name], fields[name], most)
    if (value === undefined) delete fields[name]
    else fields[name] = value
  }
  return fields
}
