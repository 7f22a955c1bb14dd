import { inPortions } from '#server/lib/in-portions.ts'

/** Shorter lists are written in far less than a turn of the event loop may take. */
const longLeast = 200

/** How deep a long list is looked for: answers hold theirs at the top. */
const levels = 3

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length >= longLeast

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const holdsLong = (value: unknown, depth: number): boolean =>
  isLong(value) || (depth > 1 && isPlain(value) && Object.values(value).some((part) => holdsLong(part, depth - 1)))

/** What `JSON.stringify` writes; of a long list in portions, between which others have their turn. */
export async function writeJson(value: unknown, depth = levels): Promise<string | undefined> {
  if (!holdsLong(value, depth)) return JSON.stringify(value)
  if (isLong(value)) return `[${(await inPortions(value, (part) => JSON.stringify(part) ?? 'null')).join(',')}]`
  const fields: string[] = []
  for (const [name, part] of Object.entries(value as Record<string, unknown>)) {
    const text = await writeJson(part, depth - 1)
    if (text !== undefined) fields.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${fields.join(',')}}`
}
