import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

test('a price set by one and taken back by another at one moment is refused with words', async () => {
  const admin = await signIn(app, { role: 'admin' })
  const model = 'of-nobody'
  const set = () => admin.raw(api.prices.set, { model, input_usd: 1 })
  const takeBack = () => admin.raw(api.prices.remove, { model })
  const answers = await Promise.all([set(), takeBack(), set(), takeBack(), takeBack(), takeBack()])
  const refused = answers.filter(({ success }) => !success)
  expect([...new Set(refused.map(({ code }) => code))]).toEqual(['price.not_own'])
})

test('prices set while a list is adopted stand beside it', async () => {
  const root = await app.root()
  const model_ratio = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`third/model-${at}`, 2]))
  const { id, rows } = await root.call(api.prices.preview, { format: 'one-api', data: { data: { model_ratio } } })
  const models = rows.filter(({ change }) => change === 'new').map(({ model }) => model)
  const set = (at: number) => root.call(api.prices.set, { model: `set-meanwhile-${at}`, input_usd: 6 })
  await Promise.all([root.call(api.prices.apply, { id, models }), ...[1, 2, 3, 4, 5].map(set)])
  const { ModelRatio } = app.ctx.options()
  expect(models.map((model) => ModelRatio[model])).toEqual(models.map(() => 2))
  expect([1, 2, 3, 4, 5].map((at) => ModelRatio[`set-meanwhile-${at}`])).toEqual([3, 3, 3, 3, 3])
})
