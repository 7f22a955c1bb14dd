import { expect, test } from 'bun:test'
import type { SyncRow } from '#shared/api/prices.ts'
import { effectOf, kindOf } from './sync-row.ts'

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
