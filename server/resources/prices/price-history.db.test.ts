import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
let root: TestClient
beforeAll(async () => {
  app = await startTestApp()
  root = await app.root()
})
afterAll(() => app.stop())

const newest = async () => (await root.call(api.history.list, { kind: 'price', pagesize: 1 })).list[0]
const set = (model: string, input_usd: number, output_usd?: number) =>
  root.call(api.prices.set, { model, input_usd, ...(output_usd === undefined ? {} : { output_usd }) })

test('a price set over the list says what the list said, and so does one that goes back to it', async () => {
  await set('gpt-4o-mini', 0.3, 1.2)
  const made = await newest()
  expect(made?.before).toMatchObject({ input_usd: 0.15, output_usd: 0.6 })
  expect(made?.after).toMatchObject({ input_usd: 0.3, output_usd: 1.2 })
  await root.call(api.prices.remove, { model: 'gpt-4o-mini' })
  const removed = await newest()
  expect(removed?.before).toMatchObject({ input_usd: 0.3, output_usd: 1.2 })
  expect(removed?.after).toMatchObject({ input_usd: 0.15, output_usd: 0.6 })
  expect(removed?.undoable).toBe(true)
})

test('a model that no list knows had no price before and has none after', async () => {
  await set('nobody-lists-this', 0.3)
  expect((await newest())?.before).toBeNull()
  await root.call(api.prices.remove, { model: 'nobody-lists-this' })
  expect((await newest())?.after).toBeNull()
})

test('the log names prices in words', async () => {
  await set('gpt-4o-mini', 0.3, 1.2)
  const { list } = await root.call(api.logs.list, { type: 3, pagesize: 1 })
  expect(list[0]?.content).toBe('set the price of gpt-4o-mini: input $0.30, output $1.20')
})
