import {
  type ListPrice,
  type PriceUnit,
  type TokenPrices,
  tokensPerMinute,
  tokensPerPicture,
} from '#server/providers/list-price.ts'
import { type TokenAmounts, type TokenClass, tokenClasses } from '#shared/token-classes.ts'
import { completionRatioOfFamily } from './completion-family.ts'
import { type Decimal, decimal, dividedBy, equal, times, toNumber, unitsAt } from './decimal.ts'

export type PriceSource = 'stored' | 'list'

/** Prices of one range of input sizes. */
export interface TierRates {
  readonly above: number
  /** Quota per input token. */
  readonly modelRatio: number
  /** Price of each class ÷ price of input. */
  readonly ratios: Readonly<Record<TokenClass, number>>
  /** Quota per token of each class, as integers ÷ 10^decimals. */
  readonly units: Readonly<Record<TokenClass, bigint>>
  /** The same as plain numbers; null when one of them is no safe integer. */
  readonly smallUnits: TokenAmounts | null
  readonly decimals: number
}

/** Everything needed to charge one model. */
export interface ModelPrice {
  readonly model: string
  readonly source: PriceSource
  readonly unit: PriceUnit | 'request'
  /** The vendor writes prompts to its cache without being asked, and takes more for it. */
  readonly writesCache: boolean
  /** Ascending; the first starts at 0. */
  readonly tiers: readonly [TierRates, ...TierRates[]]
  /** Quota per picture by `quality/size` or `size`. */
  readonly pictures: ReadonlyMap<string, Decimal>
  readonly perPicture: Decimal
  readonly perCharacter: Decimal
  readonly perSecond: Decimal
  /** What tokens cost in a batch, as a share of their price. */
  readonly batchShare: number
  /** Quota for a request, whatever it uses; null when it is sold by what it uses. */
  readonly perRequest: Decimal | null
}

export const ratioNames = [
  'model',
  'completion',
  'cacheRead',
  'cacheWrite',
  'audio',
  'audioCompletion',
  'image',
] as const

export type RatioName = (typeof ratioNames)[number]

/** What an administrator stored for one model; names without a value are absent. */
export type StoredRatios = { readonly [name in RatioName]?: number }

type Rates = Record<TokenClass, Decimal>

/** 500,000 quota are one dollar, so a dollar per million tokens is half a quota per token. */
const quotaPerToken = decimal(0.5)
const quotaPerUsd = decimal(500_000)
const million = decimal(1_000_000)

/** A token written to a cache for five minutes or for an hour, in input tokens, where no list says otherwise. */
const shortWrite = 1.25
const longWrite = 2

/** Vendors do batches for half the price, where their list names no other. */
const usualBatchShare = 0.5

function listRates(prices: TokenPrices): Rates {
  const { input, output } = prices
  const cacheWrite = prices.cacheWrite ?? input * shortWrite
  const filled: Record<TokenClass, number> = {
    input,
    output,
    cacheRead: prices.cacheRead ?? input,
    cacheWrite,
    cacheWriteLong: prices.cacheWriteLong ?? Math.max(cacheWrite, input * longWrite),
    audioInput: prices.audioInput ?? input,
    audioOutput: prices.audioOutput ?? output,
    imageInput: prices.imageInput ?? input,
    imageOutput: prices.imageOutput ?? output,
    reasoning: prices.reasoning ?? output,
    audioCacheRead: prices.audioCacheRead ?? prices.cacheRead ?? input,
  }
  return forEachClass((name) => times(decimal(filled[name]), quotaPerToken))
}

function forEachClass<Value>(of: (name: TokenClass) => Value): Record<TokenClass, Value> {
  return Object.fromEntries(tokenClasses.map((name) => [name, of(name)])) as Record<TokenClass, Value>
}

/** `value` moved in the proportion in which `from` became `to`. */
function follow(value: Decimal, from: Decimal, to: Decimal): Decimal {
  if (equal(from, to)) return value
  return from.units === 0n ? to : dividedBy(times(value, to), from)
}

/** The first tier: what is stored counts, the rest keeps its proportion to it. */
function baseRates(list: Rates, stored: StoredRatios): Rates {
  const pick = (ratio: number | undefined, anchor: Decimal, otherwise: Decimal) =>
    ratio === undefined ? otherwise : times(anchor, decimal(ratio))
  const input = stored.model === undefined ? list.input : decimal(stored.model)
  const withInput = (name: TokenClass) => follow(list[name], list.input, input)
  const output = pick(stored.completion, input, withInput('output'))
  const withOutput = (name: TokenClass) => follow(list[name], list.output, output)
  const cacheRead = pick(stored.cacheRead, input, withInput('cacheRead'))
  const cacheWrite = pick(stored.cacheWrite, input, withInput('cacheWrite'))
  const audioInput = pick(stored.audio, input, withInput('audioInput'))
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    cacheWriteLong: follow(list.cacheWriteLong, list.cacheWrite, cacheWrite),
    audioInput,
    audioOutput: pick(stored.audioCompletion, audioInput, withOutput('audioOutput')),
    imageInput: pick(stored.image, input, withInput('imageInput')),
    imageOutput: withOutput('imageOutput'),
    reasoning: withOutput('reasoning'),
    audioCacheRead: follow(list.audioCacheRead, list.cacheRead, cacheRead),
  }
}

function tierOf(above: number, rates: Rates): TierRates {
  const decimals = Math.max(...tokenClasses.map((name) => rates[name].decimals))
  const units = forEachClass((name) => unitsAt(rates[name], decimals))
  const smallUnits = forEachClass((name) => Number(units[name]))
  return {
    above,
    modelRatio: toNumber(rates.input),
    ratios: forEachClass((name) => (rates.input.units === 0n ? 1 : toNumber(dividedBy(rates[name], rates.input)))),
    units,
    smallUnits: Object.values(smallUnits).every(Number.isSafeInteger) ? smallUnits : null,
    decimals,
  }
}

/** Joins the public price of a model with what is stored for it; null when neither says what its input costs. */
export function modelPrice(model: string, listed: ListPrice | undefined, stored: StoredRatios): ModelPrice | null {
  const price = listed ?? unlisted(stored)
  if (price === null) return null
  const list = listRates(price)
  const base = baseRates(list, listed ? stored : { completion: completionRatioOfFamily(model), ...stored })
  const tiers = (price.tiers ?? []).map((tier) => {
    const own = listRates(tier)
    return tierOf(
      tier.above,
      forEachClass((name) => follow(own[name], list[name], base[name])),
    )
  })
  const inQuota = (usd: number) => follow(times(decimal(usd), quotaPerUsd), list.input, base.input)
  const pictures = new Map(Object.entries(price.pictures ?? {}).map(([kind, usd]) => [kind, inQuota(usd)]))
  return {
    model,
    source: Object.keys(stored).length > 0 ? 'stored' : 'list',
    unit: price.unit,
    writesCache: (price.cacheWrite ?? 0) > price.input && !model.includes('claude'),
    tiers: [tierOf(0, base), ...tiers],
    pictures,
    perPicture: times(base.input, decimal(tokensPerPicture)),
    perCharacter:
      price.perMillionCharacters === undefined ? base.input : dividedBy(inQuota(price.perMillionCharacters), million),
    perSecond:
      price.perSecond === undefined
        ? dividedBy(times(base.input, decimal(tokensPerMinute)), decimal(60))
        : inQuota(price.perSecond),
    batchShare: price.batchShare ?? usualBatchShare,
    perRequest: null,
  }
}

/** A model that is sold by the request. */
export function requestPrice(model: string, usd: number): ModelPrice {
  const free = modelPrice(model, { unit: 'token', input: 0, output: 0 }, {})
  if (!free) throw new Error('a free model has a price')
  const perRequest = times(decimal(usd), quotaPerUsd)
  return { ...free, source: 'stored', unit: 'request', perRequest }
}

function unlisted(stored: StoredRatios): ListPrice | null {
  return stored.model === undefined ? null : { unit: 'token', input: stored.model * 2, output: stored.model * 2 }
}
