import type { LimitsLeft } from '#server/billing/limits/limit-check.ts'
import type { LimitState } from '#server/billing/limits/limit-window.ts'
import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import type { ClientDialect } from '#server/dialects/dialect.ts'

const seconds = (ms: number): number => Math.ceil(ms / 1000)

/** What is left of a caller's limits, where OpenAI's clients look for it, and Anthropic's. */
export function limitHeaders(left: LimitsLeft, dialect: ClientDialect, now: number): Record<string, string> {
  const headers: Record<string, string> = {}
  const add = (what: 'requests' | 'tokens', state: LimitState | null) => {
    if (!state) return
    const { limit, remaining, resetMs } = state
    headers[`x-ratelimit-limit-${what}`] = String(limit)
    headers[`x-ratelimit-remaining-${what}`] = String(remaining)
    headers[`x-ratelimit-reset-${what}`] = `${seconds(resetMs)}s`
    if (dialect !== anthropicMessages) return
    headers[`anthropic-ratelimit-${what}-limit`] = String(limit)
    headers[`anthropic-ratelimit-${what}-remaining`] = String(remaining)
    headers[`anthropic-ratelimit-${what}-reset`] = new Date(now + resetMs).toISOString().replace(/\.\d+Z/, 'Z')
  }
  add('requests', left.requests)
  add('tokens', left.tokens)
  return headers
}
