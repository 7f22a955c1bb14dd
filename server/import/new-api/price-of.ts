import type { OldPrice, Ratios } from '#server/import/old-price.ts'
import * as builtIn from './built-in-prices.ts'
import { completionRatioByName } from './completion-rules.ts'

/** The options as saved; one that never was saved is absent, and the built-in numbers hold in its place. */
export interface SavedPrices {
  readonly ModelRatio?: Ratios
  readonly CompletionRatio?: Ratios
  readonly CacheRatio?: Ratios
  readonly CreateCacheRatio?: Ratios
  readonly ModelPrice?: Ratios
  readonly ImageRatio?: Ratios
  readonly AudioRatio?: Ratios
  readonly AudioCompletionRatio?: Ratios
  /** The switch `SelfUseModeEnabled`: models without a price are served. */
  readonly selfUse: boolean
}

/** Taken for models without a price where they are served at all. */
const ratioOfUnknown = 37.5
const createCacheRatioOfUnknown = 1.25

/** What new-api takes for a model, by the name it was asked for; null where it refuses the request. */
export function priceOf(model: string, saved: SavedPrices): OldPrice | null {
  const name = pricedName(model)
  const perRequest = (saved.ModelPrice ?? builtIn.modelPrices).get(name)
  if (perRequest !== undefined) return { perRequest }
  const ratio = (saved.ModelRatio ?? builtIn.modelRatios).get(name) ?? (saved.selfUse ? ratioOfUnknown : null)
  if (ratio === null) return null
  const output = completionRatio(name, saved.CompletionRatio ?? builtIn.completionRatios)
  const audio = (saved.AudioRatio ?? builtIn.audioRatios).get(name)
  const audioCompletion = (saved.AudioCompletionRatio ?? builtIn.audioCompletionRatios).get(name)
  return {
    ratio,
    completionRatio: output,
    cacheRatio: (saved.CacheRatio ?? builtIn.cacheRatios).get(model) ?? 1,
    createCacheRatio: (saved.CreateCacheRatio ?? builtIn.createCacheRatios).get(model) ?? createCacheRatioOfUnknown,
    imageRatio: (saved.ImageRatio ?? builtIn.imageRatios).get(model) ?? 1,
    audioRatio: audio ?? 1,
    audioCompletionRatio: audioCompletion ?? (audio === undefined ? output : 1),
  }
}

function completionRatio(name: string, ratios: Ratios): number {
  const byName = completionRatioByName(name)
  const own = ratios.get(name)
  if (own === undefined) return byName.ratio
  return byName.fixed && !name.includes('/') ? byName.ratio : own
}

/** Variants that share one price. */
function pricedName(model: string): string {
  const thinking = /^(gemini-2\.5-(?:flash-lite|flash|pro)).*-thinking-/.exec(model)
  if (thinking) return `${thinking[1]}-thinking-*`
  return model.replace(/^(gpt-4o?-gizmo).*/, '$1-*')
}
