import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const stepSeconds = 30
const digits = 6

/** RFC 4648, without padding: what authenticator apps read. */
export function base32(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? []).map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((sign) => alphabet.indexOf(sign).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

export const newTotpSecret = (): string => base32(randomBytes(20))

export const stepAt = (seconds: number): number => Math.floor(seconds / stepSeconds)

/** RFC 4226 over SHA-1. */
export function hotp(secret: string, counter: number, length: number = digits): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', fromBase32(secret)).update(message).digest()
  const offset = (mac[mac.length - 1] ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** length).padStart(length, '0')
}

/** The time step a code belongs to: this one or the one before; null for any other code. */
export function matchingStep(secret: string, code: string, seconds: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const now = stepAt(seconds)
  const matches = (step: number) => timingSafeEqual(Buffer.from(hotp(secret, step)), Buffer.from(code))
  return matches(now) ? now : matches(now - 1) ? now - 1 : null
}

export const totpUri = (secret: string, issuer: string, account: string): string => {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const facts = { secret, issuer, algorithm: 'SHA1', digits: String(digits), period: String(stepSeconds) }
  return `otpauth://totp/${label}?${new URLSearchParams(facts).toString().replaceAll('+', '%20')}`
}
