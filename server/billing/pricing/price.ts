import { remember } from '#server/lib/remember.ts'
import { type TokenClass, tokenClasses } from '#shared/token-classes.ts'
import type { BillableUsage } from './billable-usage.ts'
import { ceiling, type Decimal, decimal, times, toNumber } from './decimal.ts'
import { defaultPrices } from './default-prices.ts'
import {
  type ModelPrice,
  modelPrice,
  type PriceSource,
  type RatioName,
  ratioNames,
  type TierRates,
} from './model-price.ts'

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
}

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
    }
  | {
      readonly by: 'pictures' | 'characters' | 'seconds'
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

/** Names under which a price may stand: the name itself, then without `-internet`, then without the snapshot's date. */
function namesOf(model: string): string[] {
  const offline = model.replace(/-internet$/, '')
  return [...new Set([model, offline, offline.replace(/-(\d{4}-\d{2}-\d{2}|\d{8})$/, '')])]
}

/** Clients choose model names, so what is remembered about them is bounded. */
const rememberedPrices = 5000

export function createPriceBook(options: PriceOptions): PriceBook {
  const stored: Record<RatioName, ReadonlyMap<string, number>> = {
    model: new Map(Object.entries(options.modelRatio)),
    completion: new Map(Object.entries(options.completionRatio)),
    cacheRead: new Map(Object.entries(options.cacheRatio)),
    cacheWrite: new Map(Object.entries(options.cacheWriteRatio)),
    audio: new Map(Object.entries(options.audioRatio)),
    audioCompletion: new Map(Object.entries(options.audioCompletionRatio)),
    image: new Map(Object.entries(options.imageRatio)),
  }
  const groups = new Map(Object.entries(options.groupRatio))
  const prices = new Map<string, ModelPrice>()

  function read(model: string): ModelPrice | null {
    const names = namesOf(model)
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
      if (known) return known
      const price = read(model)
      if (price === null) return null
      if (prices.size >= rememberedPrices) prices.clear()
      prices.set(model, price)
      return price
    },
    groupRatio: (group) => groups.get(group) ?? 1,
  }
}

export function tierFor(price: ModelPrice, input: number): TierRates {
  let chosen = price.tiers[0]
  for (const tier of price.tiers) if (input > tier.above) chosen = tier
  return chosen
}

const count = (tokens: number | undefined) =>
  tokens !== undefined && tokens > 0 ? Math.min(Math.ceil(tokens), Number.MAX_SAFE_INTEGER) : 0

/** Takes the classes apart, in the order of `tokenClasses`; what no class claims is plain input or output. */
export function disjoint(usage: BillableUsage): number[] {
  const read = count(usage.cacheRead)
  const write = count(usage.cacheWrite)
  const long = count(usage.cacheWriteLong)
  const heard = count(usage.audioInput)
  const spoken = count(usage.audioOutput)
  const seen = count(usage.imageInput)
  const drawn = count(usage.imageOutput)
  const thought = count(usage.reasoning)
  const input = Math.max(0, count(usage.input) - read - write - long - heard - seen)
  const output = Math.max(0, count(usage.output) - spoken - drawn - thought)
  return [input, output, read, write, long, heard, spoken, seen, drawn, thought]
}

const powersOfTen = Array.from({ length: 16 }, (_, power) => Number(10n ** BigInt(power)))

/**
 * ⌈Σ amount × rate × group⌉. Plain numbers while the product stays a safe integer: then every step of it is exact, for none
 * of the terms is negative. Otherwise bigint.
 */
function total(tier: TierRates, amounts: readonly number[], group: Decimal): number {
  const divisor = powersOfTen[tier.decimals + group.decimals]
  if (tier.smallUnits.length > 0 && divisor !== undefined) {
    let sum = 0
    for (let index = 0; index < amounts.length; index++) sum += (amounts[index] ?? 0) * (tier.smallUnits[index] ?? 0)
    const product = sum * Number(group.units)
    if (product <= Number.MAX_SAFE_INTEGER && Number.isSafeInteger(Number(group.units))) {
      const rest = product % divisor
      return (product - rest) / divisor + (rest > 0 ? 1 : 0)
    }
  }
  let sum = 0n
  for (const [index, units] of tier.units.entries()) sum += BigInt(amounts[index] ?? 0) * units
  return ceiling(sum * group.units, tier.decimals + group.decimals)
}

/** Ratios are few and asked for with every request. */
const groupDecimal = remember(1000, decimal)

/** What tokens cost. Anything but nothing costs at least 1, unless the model or the group is free. */
export function quotaOf(price: ModelPrice, groupRatio: number, usage: BillableUsage): number {
  return costOf(tierFor(price, usage.input), disjoint(usage), groupDecimal(groupRatio))
}

function costOf(tier: TierRates, amounts: readonly number[], group: Decimal): number {
  const cost = total(tier, amounts, group)
  if (cost > 0) return cost
  return tier.modelRatio > 0 && group.units > 0n && amounts.some((amount) => amount > 0) ? 1 : 0
}

/** What tokens cost, and how that came about. */
export function charge(price: ModelPrice, groupRatio: number, usage: BillableUsage): Charge {
  const tier = tierFor(price, usage.input)
  const amounts = disjoint(usage)
  const parts: { of: TokenClass; tokens: number; ratio: number }[] = []
  for (let index = 0; index < tokenClasses.length; index++) {
    const tokens = amounts[index] ?? 0
    const of = tokenClasses[index]
    if (tokens > 0 && of !== undefined) parts.push({ of, tokens, ratio: tier.ratios[of] })
  }
  const { model, source } = price
  const above = tier.above > 0 ? { above: tier.above } : {}
  return {
    quota: costOf(tier, amounts, groupDecimal(groupRatio)),
    explanation: { by: 'tokens', model, source, modelRatio: tier.modelRatio, groupRatio, ...above, parts },
  }
}

function chargeEach(
  price: ModelPrice,
  groupRatio: number,
  by: 'pictures' | 'characters' | 'seconds',
  amount: number,
  each: Decimal,
  kind: { readonly size?: string; readonly quality?: string } = {},
): Charge {
  const counted = amount > 0 ? decimal(amount) : decimal(0)
  const product = times(times(counted, each), decimal(groupRatio))
  const { model, source } = price
  return {
    quota: ceiling(product.units, product.decimals),
    explanation: { by, model, source, groupRatio, count: toNumber(counted), each: toNumber(each), ...kind },
  }
}

export interface Pictures {
  readonly n: number
  readonly size?: string
  readonly quality?: string
}

/** A size or quality the list does not know costs what its dearest picture costs. */
export function pricePerPicture({ pictures, perPicture }: ModelPrice, { size, quality }: Pictures): Decimal {
  const [ordinary] = pictures.keys()
  if (ordinary === undefined) return perPicture
  const ordinarySize = ordinary.split('/').at(-1) ?? ordinary
  const wantedSize = size && size !== 'auto' ? size : ordinarySize
  const wantedQuality = quality ?? ordinary.split('/').at(0)
  const known = pictures.get(`${wantedQuality}/${wantedSize}`) ?? pictures.get(wantedSize)
  return (
    known ?? [...pictures.values()].reduce((dearest, each) => (toNumber(each) > toNumber(dearest) ? each : dearest))
  )
}

export function chargePictures(price: ModelPrice, groupRatio: number, pictures: Pictures): Charge {
  const { n, size, quality } = pictures
  const kind = { ...(size ? { size } : {}), ...(quality ? { quality } : {}) }
  return chargeEach(price, groupRatio, 'pictures', n, pricePerPicture(price, pictures), kind)
}

export function chargeSpeech(price: ModelPrice, groupRatio: number, speech: { readonly characters: number }): Charge {
  return chargeEach(price, groupRatio, 'characters', speech.characters, price.perCharacter)
}

export function chargeSeconds(price: ModelPrice, groupRatio: number, audio: { readonly seconds: number }): Charge {
  return chargeEach(price, groupRatio, 'seconds', audio.seconds, price.perSecond)
}

/** USD per million tokens, for people. */
export function pricePerMillion(
  price: ModelPrice,
  groupRatio = 1,
): { readonly input: number; readonly output: number } {
  const [{ units, decimals }] = price.tiers
  const group = times(decimal(groupRatio), decimal(2))
  const usd = (rate = 0n) => toNumber(times({ units: rate, decimals }, group))
  return { input: usd(units[0]), output: usd(units[1]) }
}
