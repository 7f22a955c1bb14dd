import type { ModelPrice } from '#server/billing/model-price.ts'
import {
  type Charge,
  charge,
  chargePictures,
  chargeSeconds,
  chargeSpeech,
  createPriceBook,
  type PriceBook,
} from '#server/billing/price.ts'
import type { BillableUsage } from '#server/billing/usage.ts'
import type { OptionValues } from '#shared/options.ts'

/** What a request used, in the unit its operation is sold in. */
export type Consumption =
  | { readonly by: 'tokens'; readonly usage: BillableUsage; readonly counted: boolean }
  | { readonly by: 'pictures'; readonly n: number; readonly size?: string; readonly quality?: string }
  | { readonly by: 'characters'; readonly characters: number }
  | { readonly by: 'seconds'; readonly seconds: number }
  | { readonly by: 'nothing' }

const free = (price: ModelPrice, groupRatio: number): Charge => charge(price, groupRatio, { input: 0, output: 0 })

export function chargeFor(price: ModelPrice, groupRatio: number, consumption: Consumption): Charge {
  switch (consumption.by) {
    case 'tokens':
      return charge(price, groupRatio, consumption.usage)
    case 'pictures':
      return chargePictures(price, groupRatio, consumption)
    case 'characters':
      return chargeSpeech(price, groupRatio, consumption)
    case 'seconds':
      return chargeSeconds(price, groupRatio, consumption)
    case 'nothing':
      return free(price, groupRatio)
  }
}

/** The price book of the present options; built anew only when they change. */
export function followPrices(options: () => OptionValues): () => PriceBook {
  let seen: OptionValues | null = null
  let book: PriceBook | null = null
  return () => {
    const now = options()
    if (book && seen === now) return book
    seen = now
    book = createPriceBook({
      modelRatio: now.ModelRatio,
      completionRatio: now.CompletionRatio,
      groupRatio: now.GroupRatio,
      cacheRatio: now.CacheRatio,
      cacheWriteRatio: now.CacheWriteRatio,
      audioRatio: now.AudioRatio,
      audioCompletionRatio: now.AudioCompletionRatio,
      imageRatio: now.ImageRatio,
    })
    return book
  }
}

/** The cheapest of the ratios of the groups through which a channel is reached. */
export function groupRatioFor(
  book: PriceBook,
  callerGroups: readonly string[],
  channelGroups: readonly string[],
): number {
  const shared = callerGroups.filter((group) => channelGroups.includes(group))
  const ratios = (shared.length > 0 ? shared : callerGroups).map((group) => book.groupRatio(group))
  return Math.min(...ratios)
}
