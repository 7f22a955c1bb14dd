import { expect, test } from 'bun:test'
import { priceOptions, shelfOf } from './own-prices.ts'
import { setTokenPrice } from './stored-prices.ts'

const none = Object.fromEntries(priceOptions.map((key) => [key, {}])) as Record<(typeof priceOptions)[number], object>

test('a price for a model that had a cache ratio alone does not make cached input free', () => {
  const shelf = shelfOf({ ...none, CacheRatio: { house: 0.1 } } as never)
  expect(setTokenPrice(shelf, 'house', { input_usd: 2, output_usd: 6 })).toBeNull()
  expect(shelf.ModelRatio.get('house')).toBe(1)
  expect(shelf.CacheRatio.get('house') ?? 1).toBeGreaterThan(0)
})

test('what a cache costs in dollars stays when the price of tokens changes', () => {
  const shelf = shelfOf({ ...none, ModelRatio: { house: 1 }, CacheRatio: { house: 0.1 } } as never)
  expect(setTokenPrice(shelf, 'house', { input_usd: 4, output_usd: 6 })).toBeNull()
  expect(shelf.CacheRatio.get('house')).toBe(0.05)
})
