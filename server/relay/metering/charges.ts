import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import { listCost, reportedCost } from '#server/billing/pricing/list-cost.ts'
import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import {
  type Charge,
  charge,
  chargePictures,
  chargeSeconds,
  chargeSpeech,
  type PriceBook,
} from '#server/billing/pricing/price.ts'
import { providerOf } from '#server/providers/index.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'

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

/** Of the groups through which a channel is reached the one with the lowest ratio. */
export function cheapestGroup(
  book: PriceBook,
  callerGroups: readonly string[],
  channelGroups: readonly string[],
): { readonly group: string; readonly groupRatio: number } {
  const shared = callerGroups.filter((group) => channelGroups.includes(group))
  const [first = '', ...others] = shared.length > 0 ? shared : callerGroups
  return others.reduce(
    (cheapest, group) => {
      const groupRatio = book.groupRatio(group)
      return groupRatio < cheapest.groupRatio ? { group, groupRatio } : cheapest
    },
    { group: first, groupRatio: book.groupRatio(first) },
  )
}

/** What a request cost the operator, in quota: as its vendor reports it, else by the public price. Null when nobody knows. */
export function costFor(
  { type, mapping, costRatio }: Pick<RoutedChannel, 'type' | 'mapping' | 'costRatio'>,
  model: string,
  consumption: Consumption,
): number | null {
  if (consumption.by === 'nothing') return 0
  const reported = consumption.by === 'tokens' ? consumption.usage.reportedUsd : undefined
  if (reported !== undefined && providerOf(type).reportsCost) return reportedCost(reported)
  return listCost(mapping.get(model) ?? model, costRatio, consumption)
}
