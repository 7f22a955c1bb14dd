import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type PriceOption, priceOptions } from '#server/billing/pricing/own-prices.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { setOptions } from '#server/testing/set-options.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
let root: TestClient
beforeAll(async () => {
  app = await borrowApp()
  root = await app.root()
})
afterAll(() => app.stop())
beforeEach(() => store({}))

const store = (ratios: Partial<Record<PriceOption, Record<string, number>>>) =>
  setOptions(app, Object.fromEntries(priceOptions.map((key) => [key, JSON.stringify(ratios[key] ?? {})])))
const stored = async () => {
  const all = new Map((await root.call(api.options.list, {})).map(({ key, value }) => [key as string, value]))
  return Object.fromEntries(priceOptions.map((key) => [key, JSON.parse(all.get(key) ?? '{}')]))
}
const set = (model: string, price: object) => () => root.call(api.prices.set, { model, ...price })
const remove = (model: string) => () => root.call(api.prices.remove, { model })
const undoLast = async () => {
  const { list } = await root.call(api.history.list, { kind: 'price', pagesize: 1 })
  await root.call(api.history.undo, { id: list[0]?.id ?? 0 })
}

const paid = { input_usd: 1, output_usd: 2 }

test.each([
  ['of more digits than dollars have', { ModelRatio: { m: 16.43835616438356 } }, set('m', paid)],
  ['of more digits, gone back to the list', { ModelRatio: { m: 0.0333333333333333 } }, remove('m')],
  [
    'beside others that do not come out even',
    { ModelRatio: { m: 0.0333333333333333 }, CompletionRatio: { m: 2 }, CacheRatio: { m: 1 / 3 } },
    set('m', paid),
  ],
  ['without a ratio of the input', { CompletionRatio: { m: 4 }, CacheRatio: { m: 0.1 } }, set('m', paid)],
  ['of sound alone', { AudioRatio: { m: 5 } }, set('m', paid)],
  ['of sound alone, taken away', { AudioRatio: { m: 5 } }, remove('m')],
  ['of a model sold by the picture', { CompletionRatio: { 'dall-e-3': 4 } }, set('dall-e-3', { each_usd: 0.05 })],
  ['of a free model', { ModelRatio: { m: 0 }, CompletionRatio: { m: 3 } }, set('m', paid)],
  ['behind a price per request', { ModelRatio: { m: 2 }, RequestPrice: { m: 0.01 } }, set('m', paid)],
  ['before a price per request', { ModelRatio: { m: 2 }, AudioRatio: { m: 3 } }, set('m', { per_request_usd: 0.5 })],
])('ratios %s stand as before when a change of the price is undone', async (_what, ratios, change) => {
  await store(ratios)
  const before = await stored()
  await change()
  const after = await stored()
  expect(after).not.toEqual(before)
  await undoLast()
  expect(await stored()).toEqual(before)
  await undoLast()
  expect(await stored()).toEqual(after)
})

test('one undo takes a whole price list back, whatever ratios stood there', async () => {
  await store({ ModelRatio: { a: 1 / 3 }, CompletionRatio: { a: 2, m: 4 }, CacheRatio: { z: 0.1 } })
  const before = await stored()
  const price = { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 }
  const { id, rows } = await root.call(api.prices.preview, { format: 'litellm', data: { a: price, m: price } })
  await root.call(api.prices.apply, { id, models: rows.map(({ model }) => model) })
  expect(await stored()).toMatchObject({ ModelRatio: { a: 0.5, m: 0.5 }, CacheRatio: {} })
  await undoLast()
  expect(await stored()).toEqual(before)
})
