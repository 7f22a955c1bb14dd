import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readLitellm } from '#server/billing/price-sync/litellm.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
let root: TestClient
beforeAll(async () => {
  app = await startTestApp()
  root = await app.root()
})
afterAll(() => app.stop())

const names = (key: 'ModelRatio' | 'CompletionRatio') => Object.keys(app.ctx.options()[key])

test('a written price stays in its place in the stored lists, and a new one stands at their end', async () => {
  await root.call(api.options.update, { key: 'ModelRatio', value: '{"first": 1, "second": 2, "third": 3}' })
  await root.call(api.options.update, { key: 'CompletionRatio', value: '{"first": 4, "second": 4, "third": 4}' })
  await root.call(api.prices.set, { model: 'first', input_usd: 10, output_usd: 30 })
  await root.call(api.prices.set, { model: 'new', input_usd: 1 })
  expect(names('ModelRatio')).toEqual(['first', 'second', 'third', 'new'])
  expect(names('CompletionRatio')).toEqual(['first', 'second', 'third'])
  expect(app.ctx.options().ModelRatio.first).toBe(5)
  // What is refused changes nothing, not even the order.
  const refused = await root.raw(api.prices.set, { model: 'first', input_usd: 0, output_usd: 1 })
  expect(refused.success).toBe(false)
  expect(names('ModelRatio')).toEqual(['first', 'second', 'third', 'new'])
})

const sold = { mode: 'chat', input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 }
const listed = {
  'perplexity/sonar-pro': sold,
  'together_ai/meta-llama/Llama-3.3-70B-Instruct-Turbo': sold,
  'cloudflare/@cf/meta/llama-2-7b-chat-int8': sold,
  'nobody/of-ours': sold,
}

test('models of Perplexity, Together and Cloudflare are read from the list of LiteLLM', async () => {
  expect([...(await readLitellm(listed)).keys()].sort()).toEqual([
    '@cf/meta/llama-2-7b-chat-int8',
    'meta-llama/Llama-3.3-70B-Instruct-Turbo',
    'sonar-pro',
  ])
})

test('and own prices of them are not gone', async () => {
  const own = ['sonar-pro', 'meta-llama/Llama-3.3-70B-Instruct-Turbo', '@cf/meta/llama-2-7b-chat-int8']
  for (const model of [...own, 'only-here']) await root.call(api.prices.set, { model, input_usd: 3 })
  const { rows } = await root.call(api.prices.preview, { format: 'litellm', data: listed })
  const changeOf = (model: string) => rows.find((row) => row.model === model)?.change
  expect(own.map(changeOf)).toEqual(['changed', 'changed', 'changed'])
  expect(changeOf('only-here')).toBe('gone')
})
