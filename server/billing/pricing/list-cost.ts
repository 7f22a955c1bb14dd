import { memoize } from '#server/lib/memoize.ts'
import type { BillableUsage } from './billable-usage.ts'
import { charactersOf, type Pictures, pricePerPicture, type Speech } from './charge-each.ts'
import { type Decimal, decimal, nearest, times } from './decimal.ts'
import type { ModelPrice } from './model-price.ts'
import { createPriceBook, type Extras, noPriceOptions, pricePerMillion, tierFor, withExtras } from './price.ts'
import { disjoint, exactUnits, smallTotal, toNearest } from './token-total.ts'

/** What vendors ask in public, whatever the operator sells at. */
const publicPrices = createPriceBook(noPriceOptions)

/** What the vendor of a model asks in public; null when no list knows it. */
export const publicPrice = (model: string): ModelPrice | null => publicPrices.priceOf(model)

/** What the vendor of a model asks in public for a million tokens, in dollars; null when no list knows it. */
export function listedCostPerMillion(model: string): { readonly input: number; readonly output: number } | null {
  const price = publicPrices.priceOf(model)
  return price && pricePerMillion(price)
}

/** What was used, in the unit it is sold in. */
export type Used =
  | { readonly by: 'tokens'; readonly usage: BillableUsage }
  | ({ readonly by: 'pictures' } & Pictures)
  | ({ readonly by: 'characters' } & Speech)
  | { readonly by: 'seconds'; readonly seconds: number }

const counted = (amount: number): Decimal => decimal(Number.isFinite(amount) ? amount : 0)

export function exact(price: ModelPrice, used: Used, extras: Extras | undefined): Decimal {
  switch (used.by) {
    case 'tokens': {
      const tier = tierFor(price, used.usage.input)
      return withExtras({ units: exactUnits(tier, disjoint(used.usage)), decimals: tier.decimals }, extras)
    }
    case 'pictures':
      return times(counted(used.n), pricePerPicture(price, used))
    case 'characters':
      return times(counted(charactersOf(price, used)), price.perCharacter)
    case 'seconds':
      return times(counted(used.seconds), price.perSecond)
  }
}

/** What the operator pays for it: the public price of the vendor's model times the channel's share. Null when none is known. */
export function listCost(model: string, costRatio: number, used: Used, extras?: Extras): number | null {
  const price = publicPrices.priceOf(model)
  if (!price) return null
  const plain = used.by === 'tokens' && !extras ? plainCost(price, costRatio, used.usage) : undefined
  return plain ?? shareOf(exact(price, used, extras), costRatio)
}

/** Channels have few shares, asked for with every request. */
const share = memoize(1000, decimal)

const plainCost = (price: ModelPrice, costRatio: number, usage: BillableUsage): number | undefined =>
  smallTotal(tierFor(price, usage.input), disjoint(usage), share(costRatio), toNearest)

/** A list price times the operator's share of it. */
export const shareOf = (listed: Decimal, costRatio: number): number => nearest(times(listed, share(costRatio)))

/** More for one request than any vendor asks. */
const dearestUsd = 100_000
const quotaPerUsd = decimal(500_000)

/** What the vendor says the request cost, in quota; null when that makes no sense. */
export function reportedCost(usd: number): number | null {
  if (!Number.isFinite(usd) || usd < 0 || usd > dearestUsd) return null
  return nearest(times(decimal(usd), quotaPerUsd))
}
