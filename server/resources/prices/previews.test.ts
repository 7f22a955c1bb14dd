import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
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
