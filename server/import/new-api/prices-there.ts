import type { OldPrice } from '#server/import/old-price.ts'
import { readRatios } from '#server/import/ratios.ts'
import { parseObject } from '#server/lib/json.ts'
import { quotaPerUnitDefault } from '#shared/quota.ts'
import { priceOf, type SavedPrices } from './price-of.ts'
import { quotaPerUnit } from './quota-unit.ts'

const names = [
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'ModelPrice',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
] as const

function savedPrices(saved: ReadonlyMap<string, string>): SavedPrices {
  const found = names.flatMap((name) => {
    const ratios = readRatios(saved.get(name))
    return ratios === undefined ? [] : [[name, ratios] as const]
  })
  return { ...Object.fromEntries(found), selfUse: saved.get('SelfUseModeEnabled') === 'true' }
}

/** What a model costs there by its options, or why channels do not carry it here. */
export function pricesThere(
  saved: ReadonlyMap<string, string>,
): (model: string) => OldPrice | { readonly leftOut: string } {
  const prices = savedPrices(saved)
  const dollar = quotaPerUnit(saved) / quotaPerUnitDefault
  const modes = parseObject(saved.get('billing_setting.billing_mode') ?? '')
  return (model) => {
    if (modes[model] === 'tiered_expr') {
      return { leftOut: 'model whose price is a formula left out of its channels: give it a price and add it again' }
    }
    const price = priceOf(model, prices)
    if (price === null) return { leftOut: 'model without a price, refused there, left out of its channels' }
    return 'perRequest' in price ? { perRequest: price.perRequest * dollar } : price
  }
}
