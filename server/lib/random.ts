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

/** 26 characters that sort by time: 10 of milliseconds, 16 of chance. Cheap enough for every request. */
export function timeOrderedId(nowMs: number): string {
  let time = ''
  let rest = nowMs
  for (let i = 0; i < 10; i++) {
    time = digits[rest % 32] + time
    rest = Math.floor(rest / 32)
  }
  let chance = ''
  for (let i = 0; i < 16; i++) chance += digits[randomByte() & 31]
  return time + chance
}
