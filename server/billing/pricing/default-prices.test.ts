import { expect, test } from 'bun:test'
import { channelTypes } from '#shared/channel-types.ts'
import { defaultPrices, priceLists } from './default-prices.ts'
import { createPriceBook, noPriceOptions } from './price.ts'

test('no model stands in two lists', () => {
  expect(defaultPrices.size).toBe(priceLists.flatMap((list) => Object.keys(list)).length)
})

test('offered models without a public price are known by name', () => {
  const book = createPriceBook(noPriceOptions)
  const offered = new Set(channelTypes.flatMap((type) => type.models))
  const unpriced = [...offered].filter((model) => book.priceOf(model) === null)
  expect(unpriced.sort()).toEqual(['360zhinao2-o1', 'hy-mt2-lite', 'hy-mt2-plus', 'hy-mt2-pro', 'hy4'])
})

test('no price is negative, no cached token costs more than a fresh one, and tiers rise', () => {
  for (const [model, price] of defaultPrices) {
    const { input, output, cacheRead = 0, tiers = [] } = price
    expect([model, Math.min(input, output) >= 0, cacheRead <= input]).toEqual([model, true, true])
    const starts = tiers.map((tier) => tier.above)
    expect([model, starts]).toEqual([model, starts.toSorted((a, b) => a - b)])
    for (const tier of tiers) expect([model, tier.input >= input, tier.output >= output]).toEqual([model, true, true])
  }
})

test.each([
  ['gpt-4o', 1.25, 4],
  ['gpt-3.5-turbo', 0.25, 3],
  ['dall-e-3', 20, undefined],
  ['whisper-1', 15, undefined],
  ['tts-1-hd', 15, undefined],
  ['ERNIE-4.0-8K', 8.52, undefined],
])('the public price of %s reads as the ratios operators know', (model, modelRatio, completionRatio) => {
  const tier = createPriceBook(noPriceOptions).priceOf(model)?.tiers[0]
  expect(tier?.modelRatio).toBe(modelRatio)
  if (completionRatio !== undefined) expect(tier?.ratios.output).toBe(completionRatio)
})
