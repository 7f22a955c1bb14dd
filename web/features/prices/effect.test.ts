import { expect, test } from 'bun:test'
import { chargedAt, marginAt } from './effect.ts'

const traffic = {
  quota: 1000,
  cost: 800,
  prompt_tokens: 1_000_000,
  cached_tokens: 500_000,
  completion_tokens: 100_000,
}
const price = { input_usd: 2, cache_read_usd: 1, output_usd: 10 }

test('revenue moves in the proportion in which the price changes', () => {
  expect(chargedAt(price, price, traffic)).toBe(1000)
  expect(chargedAt(price, { input_usd: 4, cache_read_usd: 2, output_usd: 20 }, traffic)).toBe(2000)
  // 0.5M × 2 + 0.5M × 1 + 0.1M × 10 = 2.5M; with output at 15 it is 3M.
  expect(chargedAt(price, { ...price, output_usd: 15 }, traffic)).toBe(1200)
})

test('cached input without a price of its own costs what input costs', () => {
  expect(chargedAt({ ...price, cache_read_usd: null }, { ...price, cache_read_usd: 2 }, traffic)).toBe(1000)
})

test('what cost nothing stays as it was, and there is no margin without revenue', () => {
  expect(chargedAt({ input_usd: 0, cache_read_usd: null, output_usd: 0 }, price, traffic)).toBe(1000)
  expect(marginAt(1000, 800)).toBe(0.2)
  expect(marginAt(0, 5)).toBeNull()
})
