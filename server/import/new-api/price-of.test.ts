import { describe, expect, test } from 'bun:test'
import { priceOf } from './price-of.ts'

const unsaved = { selfUse: false }

describe('what new-api takes for a model', () => {
  test.each([
    ['gpt-5', 0.625, 8, 0.1, 1.25],
    ['gpt-4o', 1.25, 4, 0.5, 1.25],
    ['o1', 7.5, 4, 0.5, 1.25],
    ['gpt-3.5-turbo', 0.25, 2, 1, 1.25],
    ['claude-sonnet-4-5-20250929', 1.5, 5, 0.1, 1.25],
    ['deepseek-chat', 0.135, 1, 0.25, 1.25],
    ['gemini-2.5-pro', 0.625, 8, 1, 1.25],
  ])('%s: what stands in its code', (model, ratio, completionRatio, cacheRatio, createCacheRatio) => {
    expect(priceOf(model, unsaved)).toMatchObject({ ratio, completionRatio, cacheRatio, createCacheRatio })
  })

  test('a price for a request goes before ratios', () => {
    expect(priceOf('dall-e-3', unsaved)).toEqual({ perRequest: 0.04 })
    expect(priceOf('gpt-4-gizmo-g-123', unsaved)).toEqual({ perRequest: 0.1 })
    expect(priceOf('gpt-4-gizmo-g-123', { ...unsaved, ModelPrice: new Map() })).toMatchObject({ ratio: 15 })
  })

  test('a saved option replaces the built-in numbers as a whole, but not fixed completion ratios', () => {
    const saved = {
      ...unsaved,
      ModelRatio: new Map([
        ['gpt-5', 2],
        ['gpt-4o', 3],
        ['vendor/claude-3', 4],
      ]),
      CompletionRatio: new Map([
        ['gpt-5', 1],
        ['gpt-4o', 1],
        ['vendor/claude-3', 1],
      ]),
      CacheRatio: new Map(),
    }
    expect(priceOf('gpt-5', saved)).toMatchObject({ ratio: 2, completionRatio: 8, cacheRatio: 1 })
    expect(priceOf('gpt-4o', saved)).toMatchObject({ ratio: 3, completionRatio: 1 })
    expect(priceOf('vendor/claude-3', saved)).toMatchObject({ ratio: 4, completionRatio: 1 })
    expect(priceOf('o1', saved)).toBeNull()
  })

  test('a model without a price is refused, except where the operator serves himself alone', () => {
    expect(priceOf('own-model', unsaved)).toBeNull()
    expect(priceOf('own-model', { selfUse: true })).toMatchObject({ ratio: 37.5, completionRatio: 1 })
  })

  test('variants share a price', () => {
    const thinking = priceOf('gemini-2.5-pro-thinking-128', unsaved)
    expect(thinking).toMatchObject({ ratio: 0.625, completionRatio: 8 })
    expect(priceOf('gpt-4o-gizmo-g-7', unsaved)).toMatchObject({ ratio: 2.5, completionRatio: 3 })
  })
})
