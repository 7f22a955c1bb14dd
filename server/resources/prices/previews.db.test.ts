import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

test('twenty previews wait to be applied; one more takes the place of the oldest', async () => {
  const root = await app.root()
  const data = { 'new-model': { mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 } }
  const ids: string[] = []
  const start = Date.now()
  for (let made = 0; made < 22; made += 1) {
    app.time.now = start + made * 1000
    ids.push((await root.call(api.prices.preview, { format: 'litellm', data })).id)
  }
  const [first = '', , third = ''] = ids
  const apply = (id: string) => root.raw(api.prices.apply, { id, models: ['new-model'] })
  expect((await apply(first)).code).toBe('price.preview_gone')
  expect((await apply(third)).success).toBe(true)
})

test('both sides of a row are in the unit a model is sold by, and only like is compared with like', async () => {
  const root = await app.root()
  await root.call(api.prices.set, { model: 'flat', per_request_usd: 0.01 })
  const data = {
    model_ratio: { 'dall-e-2': 8, 'whisper-1': 15, flat: 2 },
    model_price: { 'gpt-4o-mini': 0.01 },
  }
  const { id, rows } = await root.call(api.prices.preview, { format: 'one-api', data })
  const rowOf = (model: string) => rows.find((row) => row.model === model)
  expect(rowOf('dall-e-2')).toMatchObject({ change: 'changed', old: { input_usd: 0.02 }, new: { input_usd: 0.016 } })
  expect(rowOf('dall-e-2')?.percent).toBe(-20)
  expect(rowOf('whisper-1')).toMatchObject({ change: 'same', new: rowOf('whisper-1')?.old, percent: 0 })
  expect(rowOf('flat')).toMatchObject({ old: { per_request_usd: 0.01 }, new: { input_usd: 4 }, percent: null })
  expect(rowOf('gpt-4o-mini')).toMatchObject({ new: { per_request_usd: 0.01 }, percent: null })
  await root.call(api.prices.apply, { id, models: ['dall-e-2', 'flat'] })
  const { list } = await root.call(api.prices.list, { keyword: 'dall-e-2' })
  expect(list[0]).toMatchObject({ unit: 'picture', input_usd: 0.016, source: 'own' })
})

test('what a list leaves out is shown as it would be charged, beside what the list says', async () => {
  const root = await app.root()
  const data = { model_ratio: { 'gpt-4o': 2.5 } }
  const { rows } = await root.call(api.prices.preview, { format: 'one-api', data })
  expect(rows.find(({ model }) => model === 'gpt-4o')).toMatchObject({
    old: { input_usd: 2.5, output_usd: 10, cache_read_usd: 1.25 },
    new: { input_usd: 5, output_usd: null, cache_read_usd: null },
    charged: { input_usd: 5, output_usd: 20, cache_read_usd: 2.5 },
    percent: 100,
  })
})
