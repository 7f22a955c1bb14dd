import type { TokenClass } from '#shared/token-classes.ts'

/** USD per million tokens. A class left out costs what the class it belongs to costs. */
export type TokenPrices = { readonly input: number; readonly output: number } & {
  readonly [name in Exclude<TokenClass, 'input' | 'output'>]?: number
}

/** What the whole request costs once its input has more than `above` tokens. */
export type Tier = TokenPrices & { readonly above: number }

/** What a model is counted in when its provider reports no tokens. */
export type PriceUnit = 'token' | 'picture' | 'character' | 'second'

export type ListPrice = TokenPrices & {
  readonly unit: PriceUnit
  readonly tiers?: readonly Tier[]
  /** USD per picture by `quality/size` or `size`, the ordinary one first. */
  readonly pictures?: Readonly<Record<string, number>>
  readonly perMillionCharacters?: number
  readonly perSecond?: number
  /** What tokens cost in a batch, as a share of their price, where that is not half. */
  readonly batchShare?: number
}

export type PriceList = Readonly<Record<string, ListPrice>>

type Extras = Partial<Omit<ListPrice, 'input' | 'output' | 'unit'>>

/** A picture, character or second stands for this many tokens where only a model ratio is known. */
export const tokensPerPicture = 1000
export const tokensPerMinute = 200

/** USD per million tokens in and out. */
export function p(input: number, output: number, more: Extras = {}): ListPrice {
  return { unit: 'token', input, output, ...more }
}

const usdPerYuan = 0.142

/** Yuan per million tokens in and out. */
export function yuan(input: number, output = input, more: Extras = {}): ListPrice {
  return p(input * usdPerYuan, output * usdPerYuan, more)
}

export function over(above: number, input: number, output: number, more: Omit<Partial<Tier>, 'above'> = {}): Tier {
  return { ...more, above, input, output }
}

/** USD per picture. */
export function perPicture(prices: Readonly<Record<string, number>>): ListPrice {
  const [ordinary = 0] = Object.values(prices)
  return { unit: 'picture', input: (ordinary * 1_000_000) / tokensPerPicture, output: 0, pictures: prices }
}

/** USD per million characters. */
export function perCharacters(price: number): ListPrice {
  return { unit: 'character', input: price, output: 0, perMillionCharacters: price }
}

/** USD per second. */
export function perSecond(price: number): ListPrice {
  return { unit: 'second', input: (price * 60 * 1_000_000) / tokensPerMinute, output: 0, perSecond: price }
}
