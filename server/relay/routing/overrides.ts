import { objectOf, parseObject } from '#server/lib/json.ts'

type Fields = Readonly<Record<string, unknown>>

/** Changes to top-level fields of the body a channel sends. */
export interface Overrides {
  readonly set: Fields
  readonly default: Fields
  readonly remove: readonly string[]
}

/** What is stored has been checked; null when there is nothing to change. */
export function readOverrides(text: string): Overrides | null {
  if (text.trim() === '') return null
  const { set, default: fallback, remove } = parseObject(text)
  return {
    set: objectOf(set) ?? {},
    default: objectOf(fallback) ?? {},
    remove: Array.isArray(remove) ? remove.filter((name) => typeof name === 'string') : [],
  }
}

/** What was held for the answer was held for the caller's limit: a channel may lower it, not raise it. */
const limits = new Set(['max_tokens', 'max_completion_tokens', 'max_output_tokens'])

const within = (name: string, value: unknown, before: unknown): unknown =>
  limits.has(name) && typeof value === 'number' && typeof before === 'number' ? Math.min(value, before) : value

/** The body with the changes made: taken out first, then set, then filled in. */
export function overridden(body: string, { set, default: fallback, remove }: Overrides): string {
  const fields = parseObject(body)
  const before = { ...fields }
  for (const name of remove) delete fields[name]
  for (const [name, value] of Object.entries(set)) fields[name] = within(name, value, before[name])
  for (const [name, value] of Object.entries(fallback)) if (fields[name] === undefined) fields[name] = value
  return JSON.stringify(fields)
}
