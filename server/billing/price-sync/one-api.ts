import { decimal, times, toNumber } from '#server/billing/pricing/decimal.ts'
import { arrayOf, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import type { SyncPrice } from '#shared/api/prices.ts'
import { type PriceTable, usd, usdPerRequest, usdPerToken } from './usd.ts'

interface Ratios {
  readonly model: unknown
  readonly completion?: unknown
  readonly cacheRead?: unknown
  readonly cacheWrite?: unknown
}

/** A ratio of 1 is two dollars a million. */
function fromRatios({ model, completion, cacheRead, cacheWrite }: Ratios): SyncPrice | null {
  const ratio = numberOf(model)
  if (ratio === undefined || ratio < 0) return null
  const input = times(decimal(ratio), decimal(2))
  const part = (value: unknown): number | undefined => {
    const share = numberOf(value)
    return share === undefined || share < 0 ? undefined : usd(toNumber(times(input, decimal(share))))
  }
  return usdPerToken(usd(toNumber(input)), part(completion), part(cacheRead), part(cacheWrite))
}

/** What `/api/pricing` answers: a list of models, and what `/api/ratio_config` answers: ratios by name. */
export function readOneApi(data: unknown): PriceTable {
  const answer = objectOf(data)?.data ?? data
  return Array.isArray(answer) ? readPricing(answer) : readRatios(objectOf(answer) ?? {})
}

function readPricing(list: readonly unknown[]): PriceTable {
  const table = new Map<string, SyncPrice>()
  for (const value of arrayOf(list)) {
    const entry = objectOf(value)
    const name = textOf(entry?.model_name)
    if (!entry || name === undefined) continue
    const perRequest = usd(entry.model_price)
    const price =
      entry.quota_type === 1 && perRequest !== undefined
        ? usdPerRequest(perRequest)
        : fromRatios({
            model: entry.model_ratio,
            completion: entry.completion_ratio,
            cacheRead: entry.cache_ratio,
            cacheWrite: entry.create_cache_ratio,
          })
    if (price) table.set(name, price)
  }
  return table
}

function readRatios(ratios: JsonObject): PriceTable {
  const of = (name: string): JsonObject => objectOf(ratios[name]) ?? {}
  const [model, completion] = [of('model_ratio'), of('completion_ratio')]
  const [cacheRead, cacheWrite] = [of('cache_ratio'), of('create_cache_ratio')]
  const table = new Map<string, SyncPrice>()
  for (const [name, ratio] of Object.entries(model)) {
    const price = fromRatios({
      model: ratio,
      completion: completion[name],
      cacheRead: cacheRead[name],
      cacheWrite: cacheWrite[name],
    })
    if (price) table.set(name, price)
  }
  for (const [name, value] of Object.entries(of('model_price'))) {
    const perRequest = usd(value)
    if (perRequest !== undefined) table.set(name, usdPerRequest(perRequest))
  }
  return table
}
