import { type OldPrice, plainPrice, type Ratios } from '#server/import/old-price.ts'

/** A row of its table of prices. */
export interface HubPrice {
  readonly isPerRequest: boolean
  readonly input: number
  readonly output: number
  /** Kind of token → its price, against what input or output costs. */
  readonly extra: Ratios
}

export type HubPrices = ReadonlyMap<string, HubPrice>

/** What it takes for a model that no row names. */
const unknown: HubPrice = { isPerRequest: false, input: 30, output: 30, extra: new Map() }

const ratiosPerUsd = 500
/** Input that is free beside output that is not: as good as nothing, since ratios cannot say it. */
const trifle = 0.00001
/** Its number for this model is for the smallest picture, ours for the largest. */
const largestPicture: Readonly<Record<string, number>> = { 'dall-e-2': 1.25 }

/** Types whose answers name what was read from a cache and written to it apart. */
const claudeTypes = [14, 32]
const gemini = 25

/** What one-hub takes for a model on a channel of a type. A name that ends with * prices all that begin so. */
export function priceOf(model: string, channelType: number, prices: HubPrices): OldPrice {
  const price = prices.get(model) ?? prices.get(longestMatch(model, prices)) ?? unknown
  if (price.isPerRequest) return { perRequest: price.input / ratiosPerUsd }
  const { input, output, extra } = price
  const ratio = (input === 0 && output > 0 ? trifle : input) * (largestPicture[model] ?? 1)
  const completionRatio = ratio === 0 ? 1 : output / ratio
  const audioRatio = extra.get('input_audio_tokens') ?? 1
  const audioOutput = (extra.get('output_audio_tokens') ?? 1) * completionRatio
  return {
    ...plainPrice(ratio, completionRatio),
    cacheRatio: cacheRatio(channelType, extra),
    createCacheRatio: extra.get('cached_write_tokens') ?? 1.25,
    imageRatio: extra.get('input_image_tokens') ?? 1,
    audioRatio,
    audioCompletionRatio: audioRatio === 0 ? audioOutput : audioOutput / audioRatio,
  }
}

function cacheRatio(channelType: number, extra: Ratios): number {
  if (claudeTypes.includes(channelType)) return extra.get('cached_read_tokens') ?? 0.1
  return channelType === gemini ? 1 : (extra.get('cached_tokens') ?? 1)
}

const longestMatch = (model: string, prices: HubPrices): string =>
  [...prices.keys()]
    .filter((name) => name.endsWith('*') && model.startsWith(name.replace(/\*+$/, '')))
    .sort((a, b) => b.length - a.length)[0] ?? ''
