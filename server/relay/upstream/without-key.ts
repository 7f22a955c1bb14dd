import type { ChatFault } from '#server/dialects/chat.ts'
import { cleanWord } from '#server/dialects/fault.ts'
import { objectOf, parseJson } from '#server/lib/json.ts'

/** Shorter parts of a key would take ordinary words with them. */
const partLeast = 6

/** So much of a secret's beginning gives it away, whatever follows. */
const headLength = 12

/** The text without this secret, also where something cut it in the middle. */
function withoutSecret(text: string, secret: string): string {
  const head = secret.slice(0, headLength)
  let clean = ''
  let from = 0
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, from)) {
    let end = at + head.length
    while (end - at < secret.length && text[end] === secret[end - at]) end += 1
    clean += `${text.slice(from, at)}[key]`
    from = end
  }
  clean += text.slice(from)
  for (let length = head.length - 1; length >= partLeast; length -= 1) {
    if (clean.endsWith(secret.slice(0, length))) return `${clean.slice(0, -length)}[key]`
  }
  return clean
}

/** A text in which nobody can read the channel's key, whole or in its parts. */
export function textWithoutKey(text: string, key: string): string {
  const secrets = [key, ...key.split(/[|\n]/)].filter((part) => part.length >= partLeast)
  return secrets.reduce(withoutSecret, text)
}

/** Bytes of text in which nobody can read the channel's key; the same object where it does not stand. */
export function bytesWithoutKey(bytes: Uint8Array, key: string): Uint8Array {
  // A piece may end inside of a character: as single bytes it stays what it was.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const clean = textWithoutKey(text, key)
  return clean === text ? bytes : Buffer.from(clean, 'latin1')
}

/** A fault in which nobody can read the channel's key, whatever field it stands in. */
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

/** Seconds or a date: anything else is not for the client to wait for. */
export const waitingTime = (retryAfter: string | null): string | null =>
  retryAfter !== null &&
  (/^\d{1,9}$/.test(retryAfter) || !Number.isNaN(Date.parse(retryAfter))) &&
  retryAfter.length < 40
    ? retryAfter
    : null
