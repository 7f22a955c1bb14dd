import type { PricedTraffic } from '#shared/api/prices.ts'

/** Dollars a million tokens. */
export interface TokenPrice {
  readonly input_usd: number | null
  readonly cache_read_usd: number | null
  readonly output_usd: number | null
}

/** What the traffic is worth at a price; only its proportion to another price counts. */
function worth(price: TokenPrice, { prompt_tokens, cached_tokens, completion_tokens }: PricedTraffic): number {
  const input = price.input_usd ?? 0
  return (
    (prompt_tokens - cached_tokens) * input +
    cached_tokens * (price.cache_read_usd ?? input) +
    completion_tokens * (price.output_usd ?? 0)
  )
}

/** What would have been charged for the traffic at another price: moved in the proportion in which the price changes. */
export function chargedAt(now: TokenPrice, then: TokenPrice, traffic: PricedTraffic): number {
  const before = worth(now, traffic)
  return before > 0 ? (traffic.quota * worth(then, traffic)) / before : traffic.quota
}

/** The share of a revenue that is left after the cost; null without revenue. */
export const marginAt = (quota: number, cost: number): number | null => (quota > 0 ? (quota - cost) / quota : null)
