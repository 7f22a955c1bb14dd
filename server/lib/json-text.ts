/** What is wrong with a JSON text before anybody looks into it. */
export type JsonFault = 'too deep' | 'too many' | 'key twice'

/** Bodies are walked recursively; this many levels fit into any stack. */
export const jsonLevelsMax = 200

/**
 * Reading a body visits every value, and nobody else is answered meanwhile. The longest lists that vendors take are the tokens
 * of an embedding, 300,000.
 */
export const jsonValuesMax = 500_000
/** Lists of prices, and all lines of a batch together, have more of them. */
export const longListValuesMax = 5_000_000

/** What a name counts beside its value: reading names that are all different takes several times as long as reading values. */
const nameWeight = 4

/** A text with more levels than allowed needs at least this many characters, one to open each and one to close it. */
const deepLeast = 2 * (jsonLevelsMax + 1)

const quote = 34
const backslash = 92
const comma = 44
const colon = 58
const arrayOpen = 91
const arrayClose = 93
const objectOpen = 123
const objectClose = 125

/** Whether the quote at this place is only part of a string: an odd number of backslashes stands before it. */
function isEscaped(text: string, at: number): boolean {
  let from = at
  while (text.charCodeAt(from - 1) === backslash) from -= 1
  return (at - from) % 2 === 1
}

/** Where the string that opens here closes; past the text when it does not. */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1)
  while (at > 0 && text.charCodeAt(at - 1) === backslash && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at < 0 ? text.length : at
}

/** The same name may be written with and without escapes. */
function nameOf(text: string, open: number, close: number): string {
  const name = text.slice(open + 1, close)
  if (!name.includes('\\')) return name
  try {
    return JSON.parse(`"${name}"`) as string
  } catch {
    return name
  }
}

/** Past spaces, tabs and line ends. */
function skipBlank(text: string, from: number): number {
  let at = from
  for (let code = text.charCodeAt(at); code === 32 || (code >= 9 && code <= 13); code = text.charCodeAt(at)) at += 1
  return at
}

/** The names of one object; few are kept in a list, which is quicker than a set. */
type Names = string[] | Set<string>

const listMax = 16

/** Whether the name is new to the object at this level, which knows it from now on. */
function isNew(levels: (Names | undefined)[], level: number, name: string): boolean {
  const names = levels[level]
  if (!names) return true
  if (names instanceof Set) {
    const before = names.size
    return names.add(name).size > before
  }
  if (names.includes(name)) return false
  if (names.push(name) > listMax) levels[level] = new Set(names)
  return true
}

/**
 * Looks once over a text that should be JSON, and no further than the first fault: no more than 200 levels, no more values than
 * anybody needs, and no key twice in one object, because two readers may believe different ones. Whether it is JSON at all is
 * for the parser to say.
 */
export function jsonFault(text: string, valuesMax = jsonValuesMax): JsonFault | null {
  const levels: (Names | undefined)[] = []
  let level = 0
  let values = 1
  for (let at = 0; at < text.length && values <= valuesMax; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const close = closingQuote(text, at)
      if (text.charCodeAt(skipBlank(text, close + 1)) === colon) {
        if (!isNew(levels, level, nameOf(text, at, close))) return 'key twice'
        values += nameWeight
      }
      at = close
    } else if (code === objectOpen || code === arrayOpen) {
      level += 1
      if (level > jsonLevelsMax) return 'too deep'
      levels[level] = code === objectOpen ? [] : undefined
      values += 1
    } else if (code === comma) values += 1
    else if (code === objectClose || code === arrayClose) level -= 1
  }
  return values > valuesMax ? 'too many' : null
}

/** The same without looking for repeated keys, for answers of vendors. */
export function isTooDeep(text: string): boolean {
  if (text.length < deepLeast) return false
  let level = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = closingQuote(text, at)
    else if (code === objectOpen || code === arrayOpen) {
      level += 1
      if (level > jsonLevelsMax) return true
    } else if (code === objectClose || code === arrayClose) level -= 1
  }
  return false
}
