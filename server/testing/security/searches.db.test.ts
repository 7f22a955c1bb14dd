import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { signIn } from '#server/testing/sign-in.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

const searches = Object.values(api)
  .flatMap((resource) => Object.values(resource))
  .filter(({ input }) => 'keyword' in input.shape)

let app: TestApp
let root: TestClient
beforeAll(async () => {
  app = await borrowApp()
  root = await app.root()
  await signIn(app)
  await root.call(api.tokens.create, { name: 'plain' })
  await root.call(api.channels.create, { name: 'plain', type: 1, key: 'k', models: 'gpt-4o' })
  await root.call(api.redemptions.create, { name: 'plain', quota: 5, count: 1 })
  await root.call(api.teams.create, { name: 'plain' })
})
afterAll(() => app.stop())

const found = async (path: string, keyword: string): Promise<readonly unknown[]> => {
  const answer = await root.fetch(`${path}?pagesize=100&keyword=${encodeURIComponent(keyword)}`)
  const { success, data } = (await answer.json()) as { success: boolean; data?: { list: unknown[] } }
  expect(success).toBe(true)
  return data?.list ?? []
}

test.each(searches.map(({ path }) => [path]))(
  '%s takes wildcards, quotes and escapes for what they are',
  async (path) => {
    expect((await found(path, '')).length).toBeGreaterThan(0)
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
      // Names of models may hold such a character themselves.
      const wrong = (await found(path, keyword)).filter(
        (row) => !Object.values(row as object).some((value) => String(value).includes(keyword)),
      )
      expect([keyword, wrong]).toEqual([keyword, []])
    }
  },
)
