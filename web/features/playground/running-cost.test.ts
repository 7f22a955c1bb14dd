import { expect, test } from 'bun:test'
import { costAtMost, costSoFar } from './running-cost.ts'

const price = { input_usd: 2, cached_usd: 1, output_usd: 10, cache_write_usd: null, unit: 'token' as const, tiers: [] }
const model = { price, max_output: 1000 }
const ask = [{ role: 'user' as const, content: '12345678' }]

test('an answer costs at most what its longest would', () => {
  // 8 bytes and 32 around them at $2 a million, and 1000 tokens at $10.
  expect(costAtMost(model, ask, undefined)).toBe(Math.ceil((40 * 2 + 1000 * 10) / 2))
  expect(costAtMost(model, ask, 100)).toBe(Math.ceil((40 * 2 + 100 * 10) / 2))
})

test('a long input is priced by its own range', () => {
  const tier = { above: 100, input_usd: 4, cached_usd: 2, cache_write_usd: 4, output_usd: 20 }
  const long = [{ role: 'user' as const, content: 'a'.repeat(100) }]
  expect(costAtMost({ price: { ...price, tiers: [tier] }, max_output: 10 }, long, undefined)).toBe(132 * 2 + 100)
})

test('what cannot be known is not claimed', () => {
  const picture = { role: 'user' as const, content: [{ type: 'image_url' as const, image_url: { url: 'data:' } }] }
  expect(costAtMost(model, [picture], 100)).toBeUndefined()
  expect(costAtMost({ price, max_output: null }, ask, undefined)).toBeUndefined()
  expect(costAtMost({ price: { ...price, unit: 'request' }, max_output: 10 }, ask, 10)).toBeUndefined()
  expect(costSoFar(model, [picture], 'word')).toBeUndefined()
})

test('the cost so far grows with the answer', () => {
  expect(costSoFar(model, ask, '')).toBe(2)
  expect(costSoFar(model, ask, 'a'.repeat(400))).toBe(502)
})
