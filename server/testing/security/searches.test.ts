import { afterAll, beforeAll, expect, test } from 'bun:test'
import { signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

const searches = Object.values(api)
  .flatMap((resource) => Object.values(resource))
  .filter(({ input }) => 'keyword' in input.shape)

let app: TestApp
let root: TestClient
beforeAll(async () => {
  app = await startTestApp()
  root = await app.root()
  await signIn(app)
  await root.call(api.tokens.create, { name: 'plain' })
  await root.call(api.channels.create, { name: 'plain', type: 1, key: 'k', models: 'm' })
  await root.call(api.redemptions.create, { name: 'plain', quota: 5, count: 1 })
})
afterAll(() => app.stop())

const total = async (path: string, keyword: string) => {
  const answer = await root.fetch(`${path}?keyword=${encodeURIComponent(keyword)}`)
  const { success, data } = (await answer.json()) as { success: boolean; data?: { total: number } }
  expect(success).toBe(true)
  return data?.total ?? 0
}

test.each(searches.map(({ path }) => [path]))(
  '%s takes wildcards, quotes and escapes for what they are',
  async (path) => {
    expect(await total(path, '')).toBeGreaterThan(0)
    for (const keyword of [
      '%',
      '_',
      '%%%%%%%%%%',
      '_____',
      '\\',
      '\\%',
      "' or '1'='1",
      '"',
      '*',
      '%pl%n',
      "'; drop table users; --",
    ]) {
      expect([keyword, await total(path, keyword)]).toEqual([keyword, 0])
    }
  },
)
