import { tokensPerMinute, tokensPerPicture } from '#server/providers/list-price.ts'
import type { TokenClass } from '#shared/token-classes.ts'
import { type Decimal, decimal, times, toNumber } from './decimal.ts'
import type { ModelPrice, TierRates } from './model-price.ts'
import { roundUsd } from './own-prices.ts'

/** What a model costs in dollars, for the amount that public price lists name: see `priceUnits`. */
export interface PriceAmounts {
  readonly input_usd: number | null
  readonly output_usd: number | null
  readonly cache_read_usd: number | null
  readonly cache_write_usd: number | null
}

const usdPerQuota = decimal(0.000002)
const million = decimal(1_000_000)

const usd = (quota: Decimal, groupRatio: number): number =>
  roundUsd(toNumber(times(times(quota, usdPerQuota), decimal(groupRatio))))

const one = (input: number): PriceAmounts => ({
  input_usd: input,
  output_usd: null,
  cache_read_usd: null,
  cache_write_usd: null,
})

export function priceAmounts(price: ModelPrice, groupRatio = 1): PriceAmounts {
  const { unit, perPicture, perCharacter, perSecond, perRequest, tiers } = price
  if (perRequest) return one(usd(perRequest, groupRatio))
  if (unit === 'picture') return one(usd(perPicture, groupRatio))
  if (unit === 'character') return one(usd(times(perCharacter, million), groupRatio))
  if (unit === 'second') return one(usd(perSecond, groupRatio))
  return tierAmounts(tiers[0], groupRatio)
}

/** What each kind of picture costs, the ordinary one first. */
export const pictureAmounts = ({ pictures }: ModelPrice): { readonly kind: string; readonly usd: number }[] =>
  [...pictures].map(([kind, quota]) => ({ kind, usd: usd(quota, 1) }))

const tokensPerUnit = { picture: tokensPerPicture, second: tokensPerMinute / 60, character: 1_000_000 }

/** What a million tokens must cost so that a picture, a second or a million characters costs this; dollars. */
export const inputFor = (unit: keyof typeof tokensPerUnit, each: number): number =>
  roundUsd((each * 1_000_000) / tokensPerUnit[unit])

/** What a million tokens of one range of input sizes cost. */
export function tierAmounts({ units, decimals }: TierRates, groupRatio = 1) {
  const of = (name: TokenClass): number => usd(times({ units: units[name], decimals }, million), groupRatio)
  return {
    input_usd: of('input'),
    output_usd: of('output'),
    cache_read_usd: of('cacheRead'),
    cache_write_usd: of('cacheWrite'),
  }
}
