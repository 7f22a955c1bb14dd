import { inPortions } from '#server/lib/in-portions.ts'
import { createPace } from '#server/lib/turns/work-turns.ts'
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

/** The same, to be changed; long lists are copied in portions. */
export async function copyShelf(
  options: Readonly<Record<PriceOption, Readonly<Record<string, number>>>>,
): Promise<PriceShelf> {
  const shelf = shelfOf(noPrices)
  const pace = createPace()
  for (const key of priceOptions) {
    const put = ([name, ratio]: readonly [string, number]) => shelf[key].set(name, ratio)
    await inPortions(Object.entries(options[key]), put, pace)
  }
  return shelf
}

/** What the operator set for a model in dollars per million tokens, or per request. Null where nothing is set. */
export interface OwnPrice {
  readonly input_usd: number | null
  readonly output_usd: number | null
  readonly cache_read_usd: number | null
  readonly cache_write_usd: number | null
  readonly per_request_usd: number | null
  /** As they are stored, where the dollars above do not say them: by other digits, or because nobody says what input costs. */
  readonly model_ratio: number | null
  readonly completion_ratio: number | null
  readonly cache_ratio: number | null
  readonly cache_write_ratio: number | null
  /** Ratios that can be set in the options only; they are kept as they are. */
  readonly audio_ratio: number | null
  readonly audio_completion_ratio: number | null
  readonly image_ratio: number | null
}

/** Dollars that are set take the place of ratios. */
export const noRatios = { model_ratio: null, completion_ratio: null, cache_ratio: null, cache_write_ratio: null }

export const nothingSet: OwnPrice = {
  ...noRatios,
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

/** Never rounded up: the charge is rounded up later, and must not be twice. */
function ratioOf(part: number, whole: number): number {
  const { units, decimals } = dividedBy(decimal(part), decimal(whole))
  const surplus = Math.max(0, decimals - ratioDecimals)
  return toNumber({ units: units / 10n ** BigInt(surplus), decimals: decimals - surplus })
}

const relative = [
  ['CompletionRatio', 'output_usd', 'completion_ratio'],
  ['CacheRatio', 'cache_read_usd', 'cache_ratio'],
  ['CacheWriteRatio', 'cache_write_usd', 'cache_write_ratio'],
] as const

const plain = [
  ['AudioRatio', 'audio_ratio'],
  ['AudioCompletionRatio', 'audio_completion_ratio'],
  ['ImageRatio', 'image_ratio'],
] as const

const asStored = [
  ['ModelRatio', 'model_ratio'],
  ['CompletionRatio', 'completion_ratio'],
  ['CacheRatio', 'cache_ratio'],
  ['CacheWriteRatio', 'cache_write_ratio'],
] as const

const hasOwn = (shelf: PriceShelf, model: string): boolean => priceOptions.some((key) => shelf[key].has(model))

/** What is set for a model, in dollars; null when nothing is. `listInput` is the public price of its input. */
export function readOwn(shelf: PriceShelf, model: string, listInput: number | null): OwnPrice | null {
  if (!hasOwn(shelf, model)) return null
  const own = { ...nothingSet, ...inDollars(shelf, model, listInput) }
  const said = ratiosOf(own, listInput)
  for (const [key, field] of asStored) {
    const ratio = shelf[key].get(model)
    if (ratio !== undefined && ratio !== said.get(key)) own[field] = ratio
  }
  for (const [key, field] of plain) own[field] = shelf[key].get(model) ?? null
  return own
}

type Dollars = { -readonly [field in keyof OwnPrice]?: OwnPrice[field] }

function inDollars(shelf: PriceShelf, model: string, listInput: number | null): Dollars {
  const perRequest = shelf.RequestPrice.get(model)
  if (perRequest !== undefined) return { per_request_usd: perRequest }
  const stored = shelf.ModelRatio.get(model)
  if (stored === undefined && listInput === null) return {}
  const input = stored === undefined ? times(decimal(listInput ?? 0), ratioPerUsd) : decimal(stored)
  const dollars: Dollars = stored === undefined ? {} : { input_usd: usdOf(input) }
  for (const [key, field] of relative) {
    const ratio = shelf[key].get(model)
    if (ratio !== undefined) dollars[field] = usdOf(times(input, decimal(ratio)))
  }
  return dollars
}

/** The ratios that dollars make. */
function ratiosOf(own: OwnPrice, listInput: number | null): Map<PriceOption, number> {
  const ratios = new Map<PriceOption, number>()
  if (own.per_request_usd !== null) return ratios.set('RequestPrice', own.per_request_usd)
  const input = own.input_usd ?? listInput ?? 0
  if (own.input_usd !== null) ratios.set('ModelRatio', toNumber(times(decimal(own.input_usd), ratioPerUsd)))
  for (const [key, field] of relative) {
    const usd = own[field]
    if (usd !== null) ratios.set(key, input === 0 ? 1 : ratioOf(usd, input))
  }
  return ratios
}

/** Takes everything away that is set for a model. */
export function clearOwn(shelf: PriceShelf, model: string): void {
  for (const key of priceOptions) shelf[key].delete(model)
}

/** Why a price cannot be set. */
export type PriceProblem = 'price.free_input' | 'price.inexact' | 'price.needs_input'

/** Sets what a model costs, in place of what was set and in its place in the lists. Returns what is wrong with it, and then nothing is set. */
export function writeOwn(
  shelf: PriceShelf,
  model: string,
  own: OwnPrice,
  listInput: number | null,
): PriceProblem | null {
  const alone = shelfOf(noPrices)
  const problem = put(alone, model, own, listInput)
  if (problem !== null) return problem
  for (const key of priceOptions) {
    const value = alone[key].get(model)
    if (value === undefined) shelf[key].delete(model)
    else shelf[key].set(model, value)
  }
  return null
}

const noPrices = Object.fromEntries(priceOptions.map((key) => [key, {}])) as Record<PriceOption, Record<string, number>>

/** On a shelf that has nothing of the model. */
function put(shelf: PriceShelf, model: string, own: OwnPrice, listInput: number | null): PriceProblem | null {
  const input = own.input_usd ?? listInput
  for (const [, field, ratio] of relative) {
    if (own[field] === null || own[ratio] !== null) continue
    if (input === null) return 'price.needs_input'
    if (input === 0 && own[field] > 0) return 'price.free_input'
  }
  for (const [key, ratio] of ratiosOf(own, listInput)) shelf[key].set(model, ratio)
  for (const [key, field] of [...asStored, ...plain]) if (own[field] !== null) shelf[key].set(model, own[field])
  if (input === null && !hasOwn(shelf, model)) return 'price.needs_input'
  return isTaken(shelf, model) && isKept(shelf, model, own, listInput) ? null : 'price.inexact'
}

/** One ratio the options do not take would make them unreadable for all models. */
const isTaken = (shelf: PriceShelf, model: string): boolean =>
  priceOptions.every((key) => (shelf[key].get(model) ?? 0) <= ratioMax)

/** Whether a typed price is stored without loss. */
function isKept(shelf: PriceShelf, model: string, own: OwnPrice, listInput: number | null): boolean {
  const kept = readOwn(shelf, model, listInput)
  return (Object.keys(nothingSet) as (keyof OwnPrice)[]).every((field) => (kept?.[field] ?? null) === own[field])
}
