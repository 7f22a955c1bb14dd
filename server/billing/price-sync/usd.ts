import { roundUsd } from '#server/billing/pricing/own-prices.ts'
import { numberOf } from '#server/lib/json.ts'
import type { SyncPrice } from '#shared/api/prices.ts'

/** A price of another list: dollars, finite, not negative; undefined for what is none. One too small to be charged stays what it is. */
export function usd(value: unknown): number | undefined {
  const number = numberOf(value)
  return number === undefined || number < 0 || number > 1_000_000 ? undefined : roundUsd(number) || number
}

/** Dollars a token as dollars a million, by moving the point and not by multiplying. */
export function usdPerMillion(value: unknown): number | undefined {
  const number = numberOf(value)
  if (number === undefined || number < 0) return undefined
  const [mantissa = '0', exponent = '0'] = String(number).split('e')
  return usd(Number(`${mantissa}e${Number(exponent) + 6}`))
}

/** Null unless the source says at least what input costs. */
export function usdPerToken(
  input?: number,
  output?: number,
  cacheRead?: number,
  cacheWrite?: number,
): SyncPrice | null {
  if (input === undefined) return null
  // Ratios cannot say that only answers are paid for.
  if (input === 0 && ((output ?? 0) > 0 || (cacheRead ?? 0) > 0 || (cacheWrite ?? 0) > 0)) return null
  return {
    input_usd: input,
    output_usd: output ?? null,
    cache_read_usd: cacheRead ?? null,
    cache_write_usd: cacheWrite ?? null,
    per_request_usd: null,
  }
}

export const usdPerRequest = (perRequest: number): SyncPrice => ({
  input_usd: null,
  output_usd: null,
  cache_read_usd: null,
  cache_write_usd: null,
  per_request_usd: perRequest,
})

/** Prices by model name as a source lists them. */
export type PriceTable = ReadonlyMap<string, SyncPrice>
