import type { ChatFault } from '#server/dialects/chat.ts'

export interface FaultConsequences {
  /** Try another channel. */
  readonly retry: boolean
  /** Count it against the channel's breaker. */
  readonly channel: boolean
  /** The credentials are dead: the channel (or the key of its pool) may be disabled. */
  readonly disable: boolean
}

const deadCodes = new Set(['invalid_api_key', 'account_deactivated', 'billing_not_active', 'insufficient_quota'])
const deadTypes = new Set([
  'insufficient_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
  'billing_error',
])
const deadMessages =
  /^(your credit balance is too low|this organization has been disabled|your access was terminated|api key (not valid|expired)|your api key was reported as leaked|arrearage)|consumer .{0,80}has been suspended/i

const noConsequences: FaultConsequences = { retry: false, channel: false, disable: false }

/** What follows from a provider's error: whether another channel is tried, and whether the channel is to blame. */
export function consequencesOf({ status, type, code = '', message }: ChatFault): FaultConsequences {
  const dead =
    status === 401 || status === 402 || deadCodes.has(code) || deadTypes.has(type) || deadMessages.test(message)
  if (dead) return { retry: true, channel: true, disable: true }
  if (status === 408 || status === 409 || status === 429 || status >= 500)
    return { retry: true, channel: true, disable: false }
  // A model or a region the channel does not serve says nothing about its health.
  if (status === 403 || status === 404 || status === 405) return { retry: true, channel: false, disable: false }
  return noConsequences
}

/** The header `Retry-After` in milliseconds; it holds seconds or a date. */
export function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
