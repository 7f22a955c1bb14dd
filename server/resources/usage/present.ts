import { attemptsIn, marginOf, type Sums } from '#server/db/usage/cells.ts'
import type { UsageTimes } from '#server/db/usage/read.ts'
import { percentile } from '#server/db/usage/times.ts'
import type { UsageTotals } from '#shared/api/usage.ts'

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

/** What of the sums the caller may see: cost and profit are for administrators. */
export function totalsFor(admin: boolean, sums: Sums): UsageTotals {
  const { cost, cost_unknown, requests, failed, prompt_tokens, cached_tokens, completion_tokens, quota } = sums
  const all = { requests, failed, prompt_tokens, cached_tokens, completion_tokens, quota }
  if (!admin) return all
  return { ...all, cost, cost_unknown, profit: quota - cost, margin: marginOf(sums) }
}

export function shares(sums: Sums) {
  const { made, failed } = attemptsIn(sums)
  return { error_share: share(failed, made), cached_share: share(sums.cached_tokens, sums.prompt_tokens) }
}

export const percentiles = ({ firstByte, duration }: UsageTimes) => ({
  first_byte_p50_ms: percentile(firstByte, 0.5),
  first_byte_p95_ms: percentile(firstByte, 0.95),
  duration_p50_ms: percentile(duration, 0.5),
  duration_p95_ms: percentile(duration, 0.95),
})
