import { decimal, times, toNumber } from '#server/billing/pricing/decimal.ts'
import { inPortions } from '#server/lib/in-portions.ts'
import { type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
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
export function readOneApi(data: unknown): Promise<PriceTable> {
  const answer = objectOf(data)?.data ?? data
  return Array.isArray(answer) ? readPricing(answer) : readRatios(objectOf(answer) ?? {})
}

async function readPricing(list: readonly unknown[]): Promise<PriceTable> {
  const table = new Map<string, SyncPrice>()
  await inPortions(list, (value) => {
    const entry = objectOf(value)
    const name = textOf(entry?.model_name)
    if (!entry || name === undefined) return
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
  })
  return table
}

async function readRatios(ratios: JsonObject): Promise<PriceTable> {
  const of = (name: string): JsonObject => objectOf(ratios[name]) ?? {}
  const [model, completion] = [of('model_ratio'), of('completion_ratio')]
  const [cacheRead, cacheWrite] = [of('cache_ratio'), of('create_cache_ratio')]
  const table = new Map<string, SyncPrice>()
  await inPortions(Object.entries(model), ([name, ratio]) => {
    const price = fromRatios({
      model: ratio,
      completion: completion[name],
      cacheRead: cacheRead[name],
      cacheWrite: cacheWrite[name],
    })
    if (price) table.set(name, price)
  })
  await inPortions(Object.entries(of('model_price')), ([name, value]) => {
    const perRequest = usd(value)
    if (perRequest !== undefined) table.set(name, usdPerRequest(perRequest))
  })
  return table
}
