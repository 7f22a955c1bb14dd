import { type OldPrice, plainPrice, type Ratios } from '#server/import/old-price.ts'
import { completionRatios, modelRatios } from './built-in-prices.ts'
import { completionRatioByName } from './completion-rules.ts'

/** What its administrators saved; what they did not name has its built-in number. */
export interface SavedRatios {
  readonly modelRatio: Ratios
  readonly completionRatio: Ratios
}

/** Taken for every model it has no number for. */
const ratioOfUnknown = 30
/** A negative ratio came out as the smallest charge there is. */
const smallestCharge = 1 / 500_000

/** Its number for this model is for the smallest picture, ours for the largest. */
const largestPicture: Readonly<Record<string, number>> = { 'dall-e-2': 1.25 }

/** Its requests to Claude never used a cache: what a cache costs the vendor's customers holds. */
const claudeTypes = [14, 33]
const claudeCache = { cacheRatio: 0.1, createCacheRatio: 1.25 }

/** What one-api takes for a model on a channel of a type. Elsewhere it knows no discount for cached input. */
export function priceOf(model: string, channelType: number, saved: SavedRatios): OldPrice {
  const searched = /^(qwen|command)-.*-internet$/.test(model) ? model.replace(/-internet$/, '') : model
  const answered = model.startsWith('command-') ? model : searched
  const ratio = lookUp(searched, channelType, saved.modelRatio, modelRatios) ?? ratioOfUnknown
  if (ratio < 0) return { perRequest: smallestCharge }
  const completion = lookUp(answered, channelType, saved.completionRatio, completionRatios)
  const price = plainPrice(ratio * (largestPicture[model] ?? 1), completion ?? completionRatioByName(answered))
  return claudeTypes.includes(channelType) ? { ...price, ...claudeCache } : price
}

/** A number for one channel type goes before one for all. */
function lookUp(model: string, channelType: number, saved: Ratios, builtIn: Ratios): number | undefined {
  const narrow = `${model}(${channelType})`
  return saved.get(narrow) ?? builtIn.get(narrow) ?? saved.get(model) ?? builtIn.get(model)
}
