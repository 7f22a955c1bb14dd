import { randomBytes, randomInt } from 'node:crypto'

const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export const randomText = (length: number, alphabet: string = alphanumerics): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

export const randomHex = (length: number): string =>
  randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length)

const pool = new Uint8Array(4096)
let used = pool.length

function randomByte(): number {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  return pool[used++] ?? 0
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz'

const timeDigits = 10
export const idLength = 26

/** When an id was made, in milliseconds; null when it is none of ours. */
export function timeOfId(id: string): number | null {
  if (id.length !== idLength) return null
  let time = 0
  for (const digit of id.slice(0, timeDigits)) {
    const value = digits.indexOf(digit)
    if (value < 0) return null
    time = time * 32 + value
  }
  return time
}

const digitCodes = Buffer.from(digits)
/** The last id as bytes: joining single letters would allocate a string for each. */
const lastId = Buffer.alloc(idLength)
let stampedMs = -1

function stamp(nowMs: number): void {
  if (nowMs === stampedMs) return
  stampedMs = nowMs
  for (let rest = nowMs, at = timeDigits - 1; at >= 0; at--, rest = Math.floor(rest / 32))
    lastId[at] = digitCodes[rest % 32] ?? 0
}

/** 26 characters that sort by time: 10 of milliseconds, 16 of chance. Cheap enough for every request. */
export function timeOrderedId(nowMs: number): string {
  stamp(Math.floor(nowMs))
  for (let at = timeDigits; at < idLength; at++) lastId[at] = digitCodes[randomByte() & 31] ?? 0
  return lastId.toString('latin1')
}
