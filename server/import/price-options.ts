import { publicPrice } from '#server/billing/pricing/list-cost.ts'
import { priceOptions } from '#server/billing/pricing/own-prices.ts'
import { createPriceBook, noPriceOptions } from '#server/billing/pricing/price.ts'
import type { OldPrice, OldTokenPrice } from './old-price.ts'

type Numbers = Record<string, number>

/** Dollars for a picture as a ratio, which stands for a thousand tokens. */
const picturesPerRatio = 500

/** The options that make the models cost here what they cost there. */
export function optionsForPrices(prices: ReadonlyMap<string, OldPrice>): ReadonlyMap<string, string> {
  const options = new Map<string, Numbers>(priceOptions.map((option) => [option, {}]))
  for (const [model, price] of prices) {
    for (const [option, number] of Object.entries(numbersOf(model, price))) {
      const numbers = options.get(option)
      if (numbers && number !== undefined) numbers[model] = number
    }
  }
  return new Map([...options].map(([option, numbers]) => [option, JSON.stringify(numbers)]))
}

function numbersOf(model: string, price: OldPrice): Partial<Numbers> {
  const unit = publicPrice(model)?.unit ?? 'token'
  if ('perRequest' in price) {
    // Several pictures of a request, and larger ones, cost more there too.
    return unit === 'picture' ? { ModelRatio: price.perRequest * picturesPerRatio } : { RequestPrice: price.perRequest }
  }
  if (unit !== 'token') return { ModelRatio: price.ratio }
  return {
    ModelRatio: price.ratio,
    CompletionRatio: price.completionRatio,
    CacheRatio: price.cacheRatio,
    CacheWriteRatio: price.createCacheRatio,
    ...rareNumbers(model, price),
  }
}

/** Pictures and sound in prompts, where they would cost something else otherwise. */
function rareNumbers(model: string, price: OldTokenPrice): Partial<Numbers> {
  const assumed = createPriceBook({
    ...noPriceOptions,
    modelRatio: { [model]: price.ratio },
    completionRatio: { [model]: price.completionRatio },
  }).priceOf(model)?.tiers[0].ratios
  const audioOutput = price.audioRatio * price.audioCompletionRatio
  return {
    ImageRatio: price.imageRatio === assumed?.imageInput ? undefined : price.imageRatio,
    AudioRatio: price.audioRatio === assumed?.audioInput ? undefined : price.audioRatio,
    AudioCompletionRatio: audioOutput === assumed?.audioOutput ? undefined : price.audioCompletionRatio,
  }
}
