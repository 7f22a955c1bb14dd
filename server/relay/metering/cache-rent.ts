import { objectOf, textOf } from '#server/lib/json.ts'

/** Google takes about this many times the price of the input for each hour it keeps it. */
const rentAnHour = 4
const hourMs = 3_600_000

/** How many hours cached content is asked to be kept; an hour when nothing is said. */
function hoursOf(body: unknown, now: number): number {
  const { ttl, expireTime, expire_time } = objectOf(body) ?? {}
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textOf(ttl) ?? '')?.[1]
  if (seconds !== undefined) return Number(seconds) / 3600
  const until = Date.parse(textOf(expireTime) ?? textOf(expire_time) ?? '')
  return Number.isNaN(until) ? 1 : Math.max(0, (until - now) / hourMs)
}

/** Tokens of input that cached content costs as much as: read once, and kept for as long as was asked, paid in advance. */
export const rentedTokens = (tokens: number, body: unknown, now = Date.now()): number =>
  Math.ceil(tokens * (1 + rentAnHour * hoursOf(body, now)))
