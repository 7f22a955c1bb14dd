import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import {
  type Charge,
  charge,
  chargePictures,
  chargeSeconds,
  chargeSpeech,
  type PriceBook,
} from '#server/billing/pricing/price.ts'

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
