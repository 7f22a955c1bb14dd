const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const brace = { open: 0x7b, close: 0x7d } as const
const bracket = { open: 0x5b, close: 0x5d } as const

/** Names under which an answer says which model made it. */
const fields: ReadonlySet<string> = new Set(['model', 'modelVersion'])
/** Where a frame holds the answer it is about. */
const holders: ReadonlySet<string> = new Set(['message', 'response'])
/** No answer names its model deeper than this. */
const deepest = 2

/** The end of the string that begins at this quote, behind its closing one; -1 where it does not end. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return at + 1
  }
  return -1
}

/**
 * Where an answer names its model, as this JSON string: in its own field, never inside of what the model wrote or was given. The text may
 * be an object, an event that holds one, or the beginning of either.
 */
export function ownModelFields(text: string, name: string): readonly number[] {
  const last = text.lastIndexOf(name)
  const places: number[] = []
  /** The key that is being read at each depth; '' in a list. */
  const keys: string[] = ['']
  const isObject: boolean[] = [false]
  let depth = 0
  let isKey = false
  const isOwn = () =>
    fields.has(keys[depth] ?? '') && (depth === 1 || (depth === deepest && holders.has(keys[1] ?? '')))
  for (let at = 0; at <= last; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = stringEnd(text, at)
      if (end < 0) break
      if (isKey && depth <= deepest) keys[depth] = text.slice(at + 1, end - 1)
      else if (!isKey && end - at === name.length && isOwn() && text.startsWith(name, at)) places.push(at)
      isKey = false
      at = end - 1
    } else if (code === brace.open || code === bracket.open) {
      depth += 1
      isKey = code === brace.open
      isObject[depth] = isKey
      keys[depth] = ''
    } else if (code === brace.close || code === bracket.close) {
      depth -= 1
      isKey = false
    } else if (code === comma) {
      isKey = isObject[depth] === true
    }
  }
  return places
}
