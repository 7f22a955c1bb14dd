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
