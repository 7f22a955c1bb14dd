import { memoize } from '#server/lib/memoize.ts'
import { type TokenAmounts, type TokenClass, tokenClasses } from '#shared/token-classes.ts'
import type { BillableUsage } from './billable-usage.ts'
import { ceiling, type Decimal, decimal, plus, times, toNumber } from './decimal.ts'
import { defaultPrices } from './default-prices.ts'
import {
  type ModelPrice,
  modelPrice,
  type PriceSource,
  type RatioName,
  ratioNames,
  requestPrice,
  type TierRates,
} from './model-price.ts'
import { disjoint, exactUnits, smallTotal, up } from './token-total.ts'

type Ratios = Readonly<Record<string, number>>

/** The stored ratio options: model name → ratio, group name → ratio. A model left out keeps its public price. */
export interface PriceOptions {
  readonly modelRatio: Ratios
  readonly completionRatio: Ratios
  readonly groupRatio: Ratios
  readonly cacheRatio: Ratios
  readonly cacheWriteRatio: Ratios
  readonly audioRatio: Ratios
  readonly audioCompletionRatio: Ratios
  readonly imageRatio: Ratios
  /** Model name → dollars for each request. */
  readonly requestPrice: Ratios
}

/** Where a number stands under a name: a list of the options, or one that is being changed. */
interface NumbersByName {
  has(name: string): boolean
  get(name: string): number | undefined
}

/** What a price book reads. */
export type PriceTables = Readonly<Record<RatioName | 'perRequest' | 'group', NumbersByName>>

const tableOf = (ratios: Ratios): NumbersByName => ({
  has: (name) => Object.hasOwn(ratios, name),
  get: (name) => (Object.hasOwn(ratios, name) ? ratios[name] : undefined),
})

/** The lists themselves are read, however long they are: nothing is copied. */
const tablesOf = (options: PriceOptions): PriceTables => ({
  model: tableOf(options.modelRatio),
  completion: tableOf(options.completionRatio),
  cacheRead: tableOf(options.cacheRatio),
  cacheWrite: tableOf(options.cacheWriteRatio),
  audio: tableOf(options.audioRatio),
  audioCompletion: tableOf(options.audioCompletionRatio),
  image: tableOf(options.imageRatio),
  perRequest: tableOf(options.requestPrice),
  group: tableOf(options.groupRatio),
})

export interface PriceBook {
  /** Null: nobody says what the model costs. */
  priceOf(model: string): ModelPrice | null
  groupRatio(group: string): number
}

/** How a charge came about: quota = ⌈Σ count × ratio × modelRatio × groupRatio⌉, or ⌈count × each × groupRatio⌉. */
export type ChargeExplanation =
  | {
      readonly by: 'tokens'
      readonly model: string
      readonly source: PriceSource
      readonly modelRatio: number
      readonly groupRatio: number
      /** Set when the long-context price applies: the input size it starts above. */
      readonly above?: number
      readonly parts: readonly { readonly of: TokenClass; readonly tokens: number; readonly ratio: number }[]
      /** Set when the request was served at another price than the list's. */
      readonly times?: number
      /** What was paid by the call, in quota each, before the group ratio. */
      readonly fees?: readonly { readonly of: string; readonly count: number; readonly each: number }[]
    }
  | {
      readonly by: 'pictures' | 'characters' | 'seconds' | 'requests'
      readonly model: string
      readonly source: PriceSource
      readonly groupRatio: number
      readonly count: number
      /** Quota for one. */
      readonly each: number
      readonly size?: string
      readonly quality?: string
    }

export interface Charge {
  readonly quota: number
  readonly explanation: ChargeExplanation
}

/**
 * Names under which a price may stand: the name itself, then without `-internet`, then without the snapshot's date,
 * before which Vertex has an at sign.
 */
function namesOf(model: string): string[] {
  const offline = model.replace(/-internet$/, '')
  const dated = offline.replace(/@(\d{8})$/, '-$1')
  return [...new Set([model, offline, dated, dated.replace(/(?:-(?:\d{4}-\d{2}-\d{2}|\d{8})|@default)$/, '')])]
}

/** Clients choose model names, so what is remembered about them is bounded. */
const rememberedPrices = 5000
const rememberedLength = 300

/** Nothing set by the operator: the price lists alone. */
export const noPriceOptions: PriceOptions = {
  modelRatio: {},
  completionRatio: {},
  groupRatio: {},
  cacheRatio: {},
  cacheWriteRatio: {},
  audioRatio: {},
  audioCompletionRatio: {},
  imageRatio: {},
  requestPrice: {},
}

export const createPriceBook = (options: PriceOptions): PriceBook => priceBookFrom(tablesOf(options))

export function priceBookFrom(stored: PriceTables): PriceBook {
  const prices = new Map<string, ModelPrice | null>()

  function read(model: string): ModelPrice | null {
    const names = namesOf(model)
    const sold = names.find((name) => stored.perRequest.has(name) || stored.model.has(name) || defaultPrices.has(name))
    const each = sold === undefined ? undefined : stored.perRequest.get(sold)
    if (sold !== undefined && each !== undefined) return requestPrice(sold, each)
    const found = names.findIndex((name) => stored.model.has(name) || defaultPrices.has(name))
    const name = names[found]
    if (name === undefined) return null
    const own = names.slice(0, found + 1)
    const ratios = ratioNames.flatMap((kind) => {
      const holder = own.find((candidate) => stored[kind].has(candidate))
      return holder === undefined ? [] : [[kind, stored[kind].get(holder)] as const]
    })
    const listed = names.slice(found).find((candidate) => defaultPrices.has(candidate))
    return modelPrice(name, listed === undefined ? undefined : defaultPrices.get(listed), Object.fromEntries(ratios))
  }

  return {
    priceOf(model) {
      const known = prices.get(model)
      if (known !== undefined) return known
      const price = read(model)
      if (model.length > rememberedLength) return price
      if (prices.size >= rememberedPrices) prices.clear()
      prices.set(model, price)
      return price
    },
    groupRatio: (group) => stored.group.get(group) ?? 1,
  }
}

export function tierFor(price: ModelPrice, input: number): TierRates {
  let chosen = price.tiers[0]
  for (const tier of price.tiers) if (input > tier.above) chosen = tier
  return chosen
}

/** What a vendor takes beside the tokens: a factor on their price, and fees by the call in USD. */
export interface Extras {
  readonly times: number
  readonly fees: readonly { readonly of: string; readonly count: number; readonly usd: number }[]
}

const quotaPerUsd = decimal(500_000)

/** Quota for tokens with what is taken beside them. */
export function withExtras(tokens: Decimal, extras: Extras | undefined): Decimal {
  if (!extras) return tokens
  return extras.fees.reduce(
    (sum, { usd, count: calls }) => plus(sum, times(times(decimal(usd), quotaPerUsd), decimal(calls))),
    times(tokens, decimal(extras.times)),
  )
}

/** ⌈(Σ amount × rate × times + Σ count × fee) × group⌉, rounded up once. */
function totalWith(tier: TierRates, amounts: TokenAmounts, group: Decimal, extras: Extras): number {
  const product = times(withExtras({ units: exactUnits(tier, amounts), decimals: tier.decimals }, extras), group)
  return ceiling(product.units, product.decimals)
}

/** ⌈Σ amount × rate × group⌉. */
const total = (tier: TierRates, amounts: TokenAmounts, group: Decimal): number =>
  smallTotal(tier, amounts, group, up) ??
  ceiling(exactUnits(tier, amounts) * group.units, tier.decimals + group.decimals)

/** Ratios are few and asked for with every request. */
const groupDecimal = memoize(1000, decimal)

/** What tokens cost. Anything but nothing costs at least 1, unless the model or the group is free. */
export function quotaOf(price: ModelPrice, groupRatio: number, usage: BillableUsage, extras?: Extras): number {
  return costOf(tierFor(price, usage.input), disjoint(usage), groupDecimal(groupRatio), extras)
}

function costOf(tier: TierRates, amounts: TokenAmounts, group: Decimal, extras?: Extras): number {
  const cost = extras ? totalWith(tier, amounts, group, extras) : total(tier, amounts, group)
  if (cost > 0) return cost
  return tier.modelRatio > 0 && group.units > 0n && tokenClasses.some((name) => amounts[name] > 0) ? 1 : 0
}

/** What tokens cost, and how that came about. */
export function charge(price: ModelPrice, groupRatio: number, usage: BillableUsage, extras?: Extras): Charge {
  const tier = tierFor(price, usage.input)
  const amounts = disjoint(usage)
  const parts: { of: TokenClass; tokens: number; ratio: number }[] = []
  for (const of of tokenClasses) {
    if (amounts[of] > 0) parts.push({ of, tokens: amounts[of], ratio: tier.ratios[of] })
  }
  const { model, source } = price
  const above = tier.above > 0 ? { above: tier.above } : {}
  return {
    quota: costOf(tier, amounts, groupDecimal(groupRatio), extras),
    explanation: {
      by: 'tokens',
      model,
      source,
      modelRatio: tier.modelRatio,
      groupRatio,
      ...above,
      parts,
      ...explained(extras),
    },
  }
}

function explained(extras: Extras | undefined) {
  if (!extras) return {}
  const fees = extras.fees.map(({ of, count: calls, usd }) => ({ of, count: calls, each: usd * toNumber(quotaPerUsd) }))
  return { ...(extras.times === 1 ? {} : { times: extras.times }), ...(fees.length === 0 ? {} : { fees }) }
}

/** USD per million tokens, for people. */
export function pricePerMillion(
  price: ModelPrice,
  groupRatio = 1,
): { readonly input: number; readonly output: number } {
  const [{ units, decimals }] = price.tiers
  const group = times(decimal(groupRatio), decimal(2))
  const usd = (rate: bigint) => toNumber(times({ units: rate, decimals }, group))
  return { input: usd(units.input), output: usd(units.output) }
}
