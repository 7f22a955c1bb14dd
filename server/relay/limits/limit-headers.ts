import type { LimitsLeft } from '#server/billing/limits/limit-check.ts'
import type { LimitState } from '#server/billing/limits/limit-window.ts'
import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import type { ClientDialect } from '#server/dialects/dialect.ts'
import { RelayFault } from '#server/relay/refusals.ts'
import type { RelayedRequest } from '#server/relay/relayed-request.ts'

const seconds = (ms: number): number => Math.ceil(ms / 1000)

const isoSecond = (ms: number): string => new Date(seconds(ms) * 1000).toISOString().replace('.000', '')

/** When the remaining limits were read and when they are sent, in milliseconds. */
interface Moments {
  readonly seen: number
  readonly now: number
}

/** What is left of a caller's limits, where OpenAI's clients look for it, and Anthropic's. */
export function limitHeaders(left: LimitsLeft, dialect: ClientDialect, { seen, now }: Moments): Record<string, string> {
  const headers: Record<string, string> = {}
  const add = (what: 'requests' | 'tokens', state: LimitState | null) => {
    if (!state) return
    const { limit, remaining, resetMs } = state
    headers[`x-ratelimit-limit-${what}`] = String(limit)
    headers[`x-ratelimit-remaining-${what}`] = String(remaining)
    headers[`x-ratelimit-reset-${what}`] = `${seconds(Math.max(0, seen + resetMs - now))}s`
    if (dialect !== anthropicMessages) return
    headers[`anthropic-ratelimit-${what}-limit`] = String(limit)
    headers[`anthropic-ratelimit-${what}-remaining`] = String(remaining)
    headers[`anthropic-ratelimit-${what}-reset`] = isoSecond(seen + resetMs)
  }
  add('requests', left.requests)
  add('tokens', left.tokens)
  return headers
}

/** The headers of an admitted request; null for a caller without limits. */
export const limitHeadersOf = ({ limits, ask }: RelayedRequest, now: number): Record<string, string> | null =>
  limits && limitHeaders(limits.left, ask.entrance.door.dialect, { seen: limits.seen, now })

/** Adds the headers to the answer of a request that was counted and failed. */
export function faultWithLimits(error: unknown, request: RelayedRequest, now: number): unknown {
  if (!(error instanceof RelayFault) || !request.limits) return error
  const headers = { ...error.headers, ...limitHeadersOf(request, now) }
  return new RelayFault(error.fault, error.retryAfter, headers, error.facts)
}
