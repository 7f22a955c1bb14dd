import { describe, expect, test } from 'bun:test'
import { type HubPrice, priceOf } from './price-of.ts'

const row = (input: number, output: number, extra: Record<string, number> = {}): HubPrice => ({
  isPerRequest: false,
  input,
  output,
  extra: new Map(Object.entries(extra)),
})

const prices = new Map<string, HubPrice>([
  ['gpt-4o', row(2.5, 7.5)],
  ['cached', row(4, 8, { cached_tokens: 0.25, input_audio_tokens: 20, output_audio_tokens: 10 })],
  ['wild-*', row(2, 6)],
  ['wild-cat-*', row(3, 3)],
  ['answers', row(0, 3)],
  ['free', row(0, 0)],
  ['by-call', { ...row(25, 0), isPerRequest: true }],
])
const openAi = 1
const claude = 14
const gemini = 25

describe('what one-hub takes for a model', () => {
  test('input and output as its table has them', () => {
    expect(priceOf('gpt-4o', openAi, prices)).toMatchObject({ ratio: 2.5, completionRatio: 3, cacheRatio: 1 })
    expect(priceOf('free', openAi, prices)).toMatchObject({ ratio: 0 })
    expect(priceOf('by-call', openAi, prices)).toEqual({ perRequest: 0.05 })
  })

  test('a pattern prices all names that begin so, the longest first, and an unknown name costs 30', () => {
    expect(priceOf('wild-one', openAi, prices)).toMatchObject({ ratio: 2, completionRatio: 3 })
    expect(priceOf('wild-cat-1', openAi, prices)).toMatchObject({ ratio: 3, completionRatio: 1 })
    expect(priceOf('nobody-knows', openAi, prices)).toMatchObject({ ratio: 30, completionRatio: 1 })
  })

  test('what is read from a cache has a discount of its own at Claude, and none at Gemini', () => {
    expect(priceOf('cached', openAi, prices)).toMatchObject({ cacheRatio: 0.25 })
    expect(priceOf('gpt-4o', claude, prices)).toMatchObject({ cacheRatio: 0.1, createCacheRatio: 1.25 })
    expect(priceOf('cached', gemini, prices)).toMatchObject({ cacheRatio: 1 })
  })

  test('free input beside paid output costs as good as nothing', () => {
    const price = priceOf('answers', openAi, prices)
    if ('perRequest' in price) throw new Error('sold by the request')
    expect(price.ratio * 100_000).toBeLessThanOrEqual(1)
    expect(price.ratio * price.completionRatio).toBeCloseTo(3, 9)
  })

  test('sound is priced against text there, and so it stays', () => {
    const price = priceOf('cached', openAi, prices)
    if ('perRequest' in price) throw new Error('sold by the request')
    expect(price.audioRatio).toBe(20)
    expect(price.audioRatio * price.audioCompletionRatio).toBe(20)
  })
})
