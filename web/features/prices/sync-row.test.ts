import { expect, test } from 'bun:test'
import type { SyncRow } from '#shared/api/prices.ts'
import { becomesFree, effectOf, kindOf } from './sync-row.ts'

const rest = { cache_write_usd: null, per_request_usd: null }
const row: SyncRow = {
  model: 'gpt-4o',
  change: 'changed',
  old: { ...rest, input_usd: 2.5, output_usd: 10, cache_read_usd: 1.25 },
  new: { ...rest, input_usd: 5, output_usd: null, cache_read_usd: null },
  charged: { ...rest, input_usd: 5, output_usd: 20, cache_read_usd: 2.5 },
  percent: 100,
  own: false,
  used: true,
  traffic: { quota: 1000, cost: 0, prompt_tokens: 1000, cached_tokens: 500, completion_tokens: 1000 },
}

test('the effect of a list that says nothing of answers counts what they would be charged', () => {
  expect(effectOf(row)).toBe(1000)
  expect(kindOf(row)).toBe('dearer')
})

test('a price so small that it is charged as nothing becomes free; one that is nothing, or is charged, does not', () => {
  const tiny = { ...rest, input_usd: 1e-9, output_usd: 1, cache_read_usd: null }
  const charged = { ...tiny, input_usd: 0, cache_read_usd: 0 }
  expect(becomesFree({ ...row, new: tiny, charged })).toBe(true)
  expect(becomesFree({ ...row, new: { ...tiny, input_usd: 0 }, charged })).toBe(false)
  expect(becomesFree(row)).toBe(false)
  expect(becomesFree({ ...row, new: null, charged: null })).toBe(false)
})
