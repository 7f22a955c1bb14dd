import type { ChatEvent } from '#server/dialects/chat.ts'
import { parseJson } from '#server/lib/json.ts'
import type { Naming } from './naming.ts'

/** A frame that differs from the one before only in its text. */
export interface Continued {
  readonly event: ChatEvent
  /** The frame under the name the client asked for. */
  readonly pieces: Uint8Array[]
}

/**
 * Most frames of an answer differ from the one before only in their words. What such a frame means is known without taking it apart:
 * every byte around the words is compared, and the words must be a whole string.
 */
export interface Continuation {
  /** Null unless the chunk is exactly one such frame. */
  read(chunk: Uint8Array): Continued | null
  /** Remembers a frame that was decoded in full, so that the next one can be compared with it. */
  learn(raw: string, events: readonly ChatEvent[]): void
}

/** The fields that hold the text of a frame, over all dialects. */
const wordsField = /"(?:content|text|delta|reasoning_content|reasoning|thinking|arguments|partial_json)"\s*:\s*"$/
/** Random letters OpenAI adds so that the length of a frame gives nothing away. */
const padding = /"obfuscation"\s*:\s*"([A-Za-z0-9]*)"/

const quote = 0x22
const backslash = 0x5c

interface Pattern {
  readonly before: Buffer
  /** Instead of `before`, where the model has another name for the client. */
  readonly renamed: Buffer | null
  readonly after: Buffer
  /** Behind the padding; null where there is none. */
  readonly end: Buffer | null
  event(words: string): ChatEvent
}

/** Some vendors put something new into every frame: after so many misses comparing is given up. */
const triesMax = 8

export function createContinuation(naming: Naming): Continuation {
  let pattern: Pattern | null = null
  let tries = 0
  return {
    learn(raw, events) {
      const [event] = events
      pattern = event && events.length === 1 && tries < triesMax ? patternOf(raw, event, naming) : null
      if (pattern) tries += 1
    },
    read(chunk) {
      if (!pattern) return null
      const { before, renamed, after, end } = pattern
      const stop = end === null ? chunk.length : beforePadding(chunk, end)
      const wordsEnd = stop - after.length
      if (wordsEnd <= before.length || !isAt(chunk, before, 0) || !isAt(chunk, after, wordsEnd)) return null
      const words = wordsIn(chunk, before.length, wordsEnd)
      if (words === null) return null
      tries = 0
      return { event: pattern.event(words), pieces: renamed ? [renamed, chunk.subarray(before.length)] : [chunk] }
    },
  }
}

const isAt = (chunk: Uint8Array, part: Buffer, at: number): boolean =>
  part.compare(chunk, at, at + part.length) === 0 && at >= 0

/** Where the padding begins in a chunk with this ending; 0 when the ending is another. */
function beforePadding(chunk: Uint8Array, end: Buffer): number {
  let at = chunk.length - end.length
  if (at < 0 || !isAt(chunk, end, at)) return 0
  while (at > 0 && isLetter(chunk[at - 1] ?? 0)) at -= 1
  return at
}

const isLetter = (byte: number): boolean =>
  (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)

const decoder = new TextDecoder()

/** The decoded text between two quotes; null when a quote comes earlier or the bytes are no JSON string. */
function wordsIn(chunk: Uint8Array, from: number, to: number): string | null {
  let isEscaped = false
  for (let at = from; at < to; at += 1) {
    const byte = chunk[at] ?? 0
    if (byte < 0x20 || byte === quote) return null
    if (byte !== backslash) continue
    isEscaped = true
    at += 1
    if (at === to) return null
  }
  const text = decoder.decode(chunk.subarray(from, to))
  if (!isEscaped) return text
  const value = parseJson(`"${text}"`)
  return typeof value === 'string' && value !== '' ? value : null
}

const withWords = (event: ChatEvent): ((words: string) => ChatEvent) | null => {
  if (event.type === 'text-delta' || event.type === 'reasoning-delta') return (text) => ({ ...event, text })
  if (event.type === 'tool-call-delta') return (words) => ({ ...event, arguments: words })
  return null
}

const wordsOf = (event: ChatEvent): string => {
  if (event.type === 'text-delta' || event.type === 'reasoning-delta') return event.text
  return event.type === 'tool-call-delta' ? event.arguments : ''
}

function patternOf(raw: string, event: ChatEvent, naming: Naming): Pattern | null {
  const make = withWords(event)
  const words = JSON.stringify(wordsOf(event))
  const at = raw.indexOf(words)
  if (!make || at < 0 || at !== raw.lastIndexOf(words)) return null
  const before = raw.slice(0, at + 1)
  if (!wordsField.test(before)) return null
  const rest = raw.slice(at + words.length - 1)
  const [padded, letters = ''] = padding.exec(rest) ?? []
  const paddingAt = padded === undefined ? rest.length : rest.indexOf(padded) + padded.length - 1 - letters.length
  const renamed = naming.rename(before)
  // Only what stands before the words is replaced.
  if (naming.rename(raw) !== renamed + raw.slice(before.length)) return null
  return {
    before: Buffer.from(before),
    renamed: renamed === before ? null : Buffer.from(renamed),
    after: Buffer.from(rest.slice(0, paddingAt)),
    end: padded === undefined ? null : Buffer.from(rest.slice(paddingAt + letters.length)),
    event: make,
  }
}
