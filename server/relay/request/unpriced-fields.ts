import type { Ask } from './ask.ts'

/** False, null, nothing in it: a field of which a vendor makes nothing. */
function asksForNothing(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return !value
  return Object.values(value).every(asksForNothing)
}

const none: readonly string[] = []

/** Which of these fields a request says something in, whatever their case: some vendors read names in any. */
export function unpricedFieldsIn({ payload, entrance }: Ask, fields: ReadonlySet<string>): readonly string[] {
  const { operation } = entrance.door
  if (fields.size === 0 || payload.kind !== 'json' || (operation !== 'chat' && operation !== 'completions')) return none
  let found: string[] | null = null
  for (const name in payload.body) {
    const plain = name.toLowerCase()
    if (!fields.has(plain) || asksForNothing(payload.body[name])) continue
    found ??= []
    found.push(plain)
  }
  return found ?? none
}
