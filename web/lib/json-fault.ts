export interface JsonFault {
  /** Of the first wrong character; the length of the text when it ends too early. */
  index: number
  line: number
  column: number
  /** The line it stands in. */
  text: string
}

const space = /[\t\n\r ]*/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings may not hold them
const string = /"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*/y
const plain = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

class Wrong extends Error {
  readonly index: number
  constructor(index: number) {
    super(`not JSON at ${index}`)
    this.index = index
  }
}

/** Browsers word the position differently or leave it out, so the text is read once more. */
function read(text: string): void {
  let at = 0
  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ''
    at += found.length
    return found
  }
  const peek = (): string => {
    skip(space)
    return text[at] ?? ''
  }
  const expect = (char: string): void => {
    if (peek() !== char) throw new Wrong(at)
    at += 1
  }
  const word = (): void => {
    if (text[at] !== '"') {
      if (skip(plain) === '') throw new Wrong(at)
      return
    }
    skip(string)
    if (text[at] !== '"') throw new Wrong(at)
    at += 1
  }
  const list = (end: string, item: () => void): void => {
    at += 1
    if (peek() !== end) {
      item()
      while (peek() === ',') {
        at += 1
        item()
      }
    }
    expect(end)
  }
  const pair = (): void => {
    if (peek() !== '"') throw new Wrong(at)
    word()
    expect(':')
    value()
  }
  const value = (): void => {
    const next = peek()
    if (next === '{') list('}', pair)
    else if (next === '[') list(']', value)
    else word()
  }
  value()
  if (peek() !== '') throw new Wrong(at)
}

/** Where a text stops being JSON; `null` when it is JSON. */
export function jsonFault(text: string): JsonFault | null {
  try {
    read(text)
    return null
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    const before = text.slice(0, error.index)
    const start = before.lastIndexOf('\n') + 1
    const line = text.slice(start).split('\n', 1)[0] ?? ''
    return { index: error.index, line: before.split('\n').length, column: error.index - start + 1, text: line }
  }
}
