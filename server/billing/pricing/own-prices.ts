import { ratioMax } from '#shared/option-kinds.ts'
import { type Decimal, decimal, dividedBy, times, toNumber } from './decimal.ts'

/** The options that say what models cost. They are the one truth; dollars are a way to read and write them. */
export const priceOptions = [
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CacheWriteRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'ImageRatio',
  'RequestPrice',
] as const
export type PriceOption = (typeof priceOptions)[number]

/** Model name → number, for each of the options. */
export type PriceShelf = Readonly<Record<PriceOption, Map<string, number>>>

export const shelfOf = (options: Readonly<Record<PriceOption, Readonly<Record<string, number>>>>): PriceShelf =>
  Object.fromEntries(priceOptions.map((key) => [key, new Map(Object.entries(options[key]))])) as unknown as PriceShelf

/** What the operator set for a model in dollars per million tokens, or per request. Null where nothing is set. */
export interface OwnPrice {
  readonly input_usd: number | null
  readonly output_usd: number | null
  readonly cache_read_usd: number | null
  readonly cache_write_usd: number | null
  readonly per_request_usd: number | null
  /** Set among the options alone; kept as they are. */
  readonly audio_ratio: number | null
  readonly audio_completion_ratio: number | null
  readonly image_ratio: number | null
}

export const nothingSet: OwnPrice = {
  input_usd: null,
  output_usd: null,
  cache_read_usd: null,
  cache_write_usd: null,
  per_request_usd: null,
  audio_ratio: null,
  audio_completion_ratio: null,
  image_ratio: null,
}

/** A ratio of 1 is two dollars a million. */
const usdPerRatio = decimal(2)
const ratioPerUsd = decimal(0.5)

/** Ratios that do not come out even are cut, so that what is read back is a trifle too small: it is rounded to this. */
const usdDecimals = 9
const ratioDecimals = 12

export const roundUsd = (usd: number): number => Number(usd.toFixed(usdDecimals))

const usdOf = (ratio: Decimal): number => roundUsd(toNumber(times(ratio, usdPerRatio)))

/** Never rounded up: a charge is, and must not be so twice. */
function ratioOf(part: number, whole: number): number {
  const { units, decimals } = dividedBy(decimal(part), decimal(whole))
  const surplus = Math.max(0, decimals - ratioDecimals)
  return toNumber({ units: units / 10n ** BigInt(surplus), decimals: decimals - surplus })
}

const relative = [
  ['CompletionRatio', 'output_usd'],
  ['CacheRatio', 'cache_read_usd'],
  ['CacheWriteRatio', 'cache_write_usd'],
] as const

const plain = [
  ['AudioRatio', 'audio_ratio'],
  ['AudioCompletionRatio', 'audio_completion_ratio'],
  ['ImageRatio', 'image_ratio'],
] as const

export const hasOwn = (shelf: PriceShelf, model: string): boolean => priceOptions.some((key) => shelf[key].has(model))

/** What is set for a model, in dollars; null when nothing is. `listInput` is the public price of its input. */
export function readOwn(shelf: PriceShelf, model: string, listInput: number | null): OwnPrice | null {
  if (!hasOwn(shelf, model)) return null
  const perRequest = shelf.RequestPrice.get(model)
  if (perRequest !== undefined) return { ...nothingSet, per_request_usd: perRequest }
  const stored = shelf.ModelRatio.get(model)
  const input = stored === undefined ? times(decimal(listInput ?? 0), ratioPerUsd) : decimal(stored)
  const own: Record<keyof OwnPrice, number | null> = { ...nothingSet }
  if (stored !== undefined) own.input_usd = usdOf(input)
  for (const [key, field] of relative) {
    const ratio = shelf[key].get(model)
    if (ratio !== undefined) own[field] = usdOf(times(input, decimal(ratio)))
  }
  for (const [key, field] of plain) own[field] = shelf[key].get(model) ?? null
  return own
}

/** Takes everything away that is set for a model. */
export function clearOwn(shelf: PriceShelf, model: string): void {
  for (const key of priceOptions) shelf[key].delete(model)
}

/** Why a price cannot be set. */
export type PriceProblem = 'price.free_input' | 'price.inexact' | 'price.needs_input'

/** Sets what a model costs, in place of what was set. Returns what is wrong with it, and then nothing is set. */
export function writeOwn(
  shelf: PriceShelf,
  model: string,
  own: OwnPrice,
  listInput: number | null,
): PriceProblem | null {
  const before = new Map(priceOptions.map((key) => [key, shelf[key].get(model)]))
  const problem = put(shelf, model, own, listInput)
  if (problem === null) return null
  for (const [key, value] of before) {
    if (value === undefined) shelf[key].delete(model)
    else shelf[key].set(model, value)
  }
  return problem
}

function put(shelf: PriceShelf, model: string, own: OwnPrice, listInput: number | null): PriceProblem | null {
  clearOwn(shelf, model)
  if (own.per_request_usd !== null) {
    shelf.RequestPrice.set(model, own.per_request_usd)
    return null
  }
  for (const [key, field] of plain) if (own[field] !== null) shelf[key].set(model, own[field])
  const input = own.input_usd ?? listInput
  if (input === null) return 'price.needs_input'
  if (own.input_usd !== null) shelf.ModelRatio.set(model, toNumber(times(decimal(own.input_usd), ratioPerUsd)))
  for (const [key, field] of relative) {
    const usd = own[field]
    if (usd === null) continue
    if (input === 0 && usd > 0) return 'price.free_input'
    shelf[key].set(model, input === 0 ? 1 : ratioOf(usd, input))
  }
  return isTaken(shelf, model) && isKept(shelf, model, own, listInput) ? null : 'price.inexact'
}

/** One ratio the options do not take would make them unreadable for all models. */
const isTaken = (shelf: PriceShelf, model: string): boolean =>
  priceOptions.every((key) => (shelf[key].get(model) ?? 0) <= ratioMax)

/** Whether what was typed is what will be read. */
function isKept(shelf: PriceShelf, model: string, own: OwnPrice, listInput: number | null): boolean {
  const kept = readOwn(shelf, model, listInput)
  return (Object.keys(nothingSet) as (keyof OwnPrice)[]).every((field) => (kept?.[field] ?? null) === own[field])
}
