import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '#shared/testing/thoroughness.ts'
import type { BillableUsage } from './billable-usage.ts'
import { exact, listCost, publicPrice, shareOf } from './list-cost.ts'

const tokens = fc.oneof(fc.nat(3), fc.nat(2_000_000), fc.double({ min: 0, max: 1e6, noNaN: true }))
const usages: fc.Arbitrary<BillableUsage> = fc.record(
  {
    input: tokens,
    output: tokens,
    cacheRead: tokens,
    audioCacheRead: tokens,
    cacheWrite: tokens,
    cacheWriteLong: tokens,
    audioInput: tokens,
    audioOutput: tokens,
    imageInput: tokens,
    imageOutput: tokens,
    reasoning: tokens,
  },
  { requiredKeys: ['input', 'output'] },
)
const models = ['gpt-4o', 'gpt-4o-mini', 'claude-haiku-5-5', 'gpt-audio', 'gpt-image-1.5']
const shares = fc.constantFrom(0, 1, 0.5, 0.7, 1.25, 0.333333333333, 0.000001, 12_345.678)

const exactly = (model: string, share: number, usage: BillableUsage): number => {
  const price = publicPrice(model)
  if (!price) throw new Error(`no price for ${model}`)
  return shareOf(exact(price, { by: 'tokens', usage }, undefined), share)
}

test('what tokens cost the operator is the same by plain numbers and by exact ones', () => {
  fc.assert(
    fc.property(fc.constantFrom(...models), shares, usages, (model, share, usage) => {
      expect(listCost(model, share, { by: 'tokens', usage })).toBe(exactly(model, share, usage))
    }),
    runs(2000),
  )
})

test('halves of a unit go up', () => {
  expect(listCost('gpt-4o', 0.4, { by: 'tokens', usage: { input: 1, output: 0 } })).toBe(1)
  expect(listCost('gpt-4o', 0.39, { by: 'tokens', usage: { input: 1, output: 0 } })).toBe(0)
})

test('more tokens than plain numbers hold exactly are still added up', () => {
  const usage = { input: Number.MAX_SAFE_INTEGER, output: Number.MAX_SAFE_INTEGER }
  expect(listCost('gpt-4o', 1.1, { by: 'tokens', usage })).toBe(exactly('gpt-4o', 1.1, usage))
})
