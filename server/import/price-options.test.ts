import { describe, expect, test } from 'bun:test'
import { createPriceBook } from '#server/billing/pricing/price.ts'
import { priceOf as newApiPrice } from './new-api/price-of.ts'
import { type OldPrice, plainPrice } from './old-price.ts'
import { priceOf as oneApiPrice } from './one-api/price-of.ts'
import { optionsForPrices } from './price-options.ts'

const unsaved = { selfUse: false }

function bookOf(prices: Record<string, OldPrice | null>) {
  const kept = new Map(Object.entries(prices).flatMap(([model, price]) => (price ? [[model, price] as const] : [])))
  const options = Object.fromEntries([...optionsForPrices(kept)].map(([name, json]) => [name, JSON.parse(json)]))
  return createPriceBook({
    modelRatio: options.ModelRatio,
    completionRatio: options.CompletionRatio,
    groupRatio: {},
    cacheRatio: options.CacheRatio,
    cacheWriteRatio: options.CacheWriteRatio,
    audioRatio: options.AudioRatio,
    audioCompletionRatio: options.AudioCompletionRatio,
    imageRatio: options.ImageRatio,
    requestPrice: options.RequestPrice,
  })
}

describe('prices of another program as our options', () => {
  test('every kind of token costs what it cost', () => {
    const price = bookOf({ 'gpt-5': newApiPrice('gpt-5', unsaved) }).priceOf('gpt-5')
    expect(price?.tiers[0]).toMatchObject({ modelRatio: 0.625 })
    expect(price?.tiers[0].ratios).toMatchObject({ output: 8, cacheRead: 0.1, cacheWrite: 1.25, audioInput: 1 })
  })

  test('no discount for cached input where there was none, and unknown models cost what they cost', () => {
    const saved = { modelRatio: new Map(), completionRatio: new Map() }
    const book = bookOf({ 'gpt-4o': oneApiPrice('gpt-4o', 1, saved), 'gpt-5': oneApiPrice('gpt-5', 1, saved) })
    expect(book.priceOf('gpt-4o')?.tiers[0].ratios).toMatchObject({ output: 4, cacheRead: 1, cacheWrite: 1 })
    expect(book.priceOf('gpt-5')?.tiers[0]).toMatchObject({ modelRatio: 30 })
    expect(book.priceOf('gpt-5')?.tiers[0].ratios).toMatchObject({ output: 1, cacheRead: 1 })
  })

  test('sound in the answer keeps its price, though it is written against something else', () => {
    const price = bookOf({ m: { ...plainPrice(1, 4), audioRatio: 16, audioCompletionRatio: 2 } }).priceOf('m')
    expect(price?.tiers[0].ratios).toMatchObject({ audioInput: 16, audioOutput: 32, output: 4 })
    expect(bookOf({ m: plainPrice(1, 4) }).priceOf('m')?.tiers[0].ratios).toMatchObject({
      audioInput: 1,
      audioOutput: 4,
    })
  })

  test('a price for a request stays one; a picture keeps its sizes', () => {
    const book = bookOf({ chat: { perRequest: 0.1 }, 'dall-e-3': newApiPrice('dall-e-3', unsaved) })
    expect(book.priceOf('chat')).toMatchObject({ unit: 'request', perRequest: { units: 50_000n, decimals: 0 } })
    const picture = book.priceOf('dall-e-3')
    const inQuota = (kind: string) =>
      Number(picture?.pictures.get(kind)?.units) / 10 ** Number(picture?.pictures.get(kind)?.decimals)
    expect([inQuota('standard/1024x1024'), inQuota('hd/1024x1792')]).toEqual([20_000, 60_000])
  })

  test('a picture of every size costs what it cost in one-api', () => {
    const saved = { modelRatio: new Map(), completionRatio: new Map() }
    const picture = bookOf({ 'dall-e-2': oneApiPrice('dall-e-2', 1, saved) }).priceOf('dall-e-2')
    const sizes = [...(picture?.pictures ?? [])].map(([size, { units, decimals }]) => [
      size,
      Number(units) / 10 ** decimals,
    ])
    expect(sizes).toEqual([
      ['1024x1024', 12_500],
      ['512x512', 11_250],
      ['256x256', 10_000],
    ])
  })
})
