import { objectOf, textOf } from '#server/lib/json.ts'

/** Google takes about this many times the price of the input for each hour it keeps it. */
const rentAnHour = 4
const hourMs = 3_600_000

/** Hours from now; undefined when nothing is said, not a number when nobody can read it. */
function hoursIn(name: string, value: unknown, now: number): number | undefined {
  if (value === undefined || value === null) return undefined
  const text = textOf(value) ?? ''
  if (name !== 'ttl') return Math.max(0, (Date.parse(text) - now) / hourMs)
  return Number(/^(\d+(?:\.\d+)?)s$/.exec(text)?.[1]) / 3600
}

const lifetimes = ['ttl', 'expireTime', 'expire_time'] as const

/** Where content that is to be cached says how long, and nobody can read it. */
export const unreadLifetime = (body: unknown): string | undefined =>
  lifetimes.find((name) => Number.isNaN(hoursIn(name, objectOf(body)?.[name], Date.now())))

/** How many hours cached content is asked to be kept, by the longest of what is said; an hour when nothing is. */
function hoursOf(body: unknown, now: number): number {
  const said = lifetimes.flatMap((name) => hoursIn(name, objectOf(body)?.[name], now) ?? [])
  return said.length === 0 ? 1 : Math.max(...said)
}

/** Tokens of input that cached content costs as much as: read once, and kept for as long as was asked, paid in advance. */
export const rentedTokens = (tokens: number, body: unknown, now = Date.now()): number =>
  Math.ceil(tokens * (1 + rentAnHour * hoursOf(body, now)))
