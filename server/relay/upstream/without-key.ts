import type { ChatFault } from '#server/dialects/chat.ts'
import { cleanWord } from '#server/dialects/fault.ts'
import { objectOf, parseJson } from '#server/lib/json.ts'

/** Shorter parts of a key might match ordinary words. */
const partLeast = 6

/** A match of this many first characters is taken as the secret. */
const headLength = 12

/** The text with every occurrence of the secret removed, also where only its beginning occurs. */
function withoutBegun(text: string, secret: string): string {
  const head = secret.slice(0, headLength)
  let clean = ''
  let from = 0
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, from)) {
    let end = at + head.length
    while (end - at < secret.length && text[end] === secret[end - at]) end += 1
    clean += `${text.slice(from, at)}[key]`
    from = end
  }
  return clean + text.slice(from)
}

/** The same, and also a shorter beginning of the secret at the end of the text, where it may have been cut. */
function withoutSecret(text: string, secret: string): string {
  const clean = withoutBegun(text, secret)
  for (let length = Math.min(headLength, secret.length) - 1; length >= partLeast; length -= 1) {
    if (clean.endsWith(secret.slice(0, length))) return `${clean.slice(0, -length)}[key]`
  }
  return clean
}

const secretsIn = (key: string): readonly string[] =>
  [key, ...key.split(/[|\n]/)].filter((part) => part.length >= partLeast)

/** The text without the channel's key, whole or in parts. */
export const textWithoutKey = (text: string, key: string): string => secretsIn(key).reduce(withoutSecret, text)

/** How much of the end of a text may be the beginning of a secret. */
function begunIn(text: string, secret: string): number {
  let length = Math.min(secret.length - 1, text.length)
  while (length > 0 && !text.endsWith(secret.slice(0, length))) length -= 1
  return length
}

/** Hides a key in text that comes in pieces. */
export interface KeyHider {
  /** What can be shown so far: an end that may become the key is kept back. */
  push(piece: Uint8Array): Uint8Array
  end(): Uint8Array
}

export function createKeyHider(key: string): KeyHider {
  const secrets = secretsIn(key)
  let kept = ''
  return {
    push(piece) {
      // A piece may end inside a character, so it is treated as single bytes.
      const came = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
      const text = kept + came
      const begun = Math.max(0, ...secrets.map((secret) => begunIn(text, secret)))
      kept = text.slice(text.length - begun)
      const clean = secrets.reduce(withoutBegun, text.slice(0, text.length - begun))
      return clean === came ? piece : Buffer.from(clean, 'latin1')
    },
    end: () => Buffer.from(textWithoutKey(kept, key), 'latin1'),
  }
}

/** The fault with the channel's key removed from every field. */
export function withoutKey(fault: ChatFault, key: string): ChatFault {
  const clean = (text: string) => textWithoutKey(text, key)
  const { status, message, type, code, param, details } = fault
  const kept = details && objectOf(parseJson(clean(JSON.stringify(details))))
  return {
    status,
    message: clean(message),
    type: clean(cleanWord(type)),
    ...(code === undefined ? {} : { code: clean(cleanWord(code)) }),
    ...(param === undefined ? {} : { param: clean(cleanWord(param)) }),
    ...(kept ? { details: kept } : {}),
  }
}

/** The value of `Retry-After` if it is seconds or a date; null otherwise. */
export const waitingTime = (retryAfter: string | null): string | null =>
  retryAfter !== null &&
  (/^\d{1,9}$/.test(retryAfter) || !Number.isNaN(Date.parse(retryAfter))) &&
  retryAfter.length < 40
    ? retryAfter
    : null
