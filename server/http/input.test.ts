import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'

let app: TestApp
let root: TestClient
beforeAll(async () => {
  app = await startTestApp()
  root = await app.root()
})
afterAll(() => app.stop())

const answerTo = async (path: string, method = 'GET', body?: unknown) => {
  const answer = await root.fetch(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return (await answer.json()) as { success: boolean; message: string; params: { reason?: string } }
}

test.each([
  ['GET', '/api/user/?page=x', undefined, 'page must be a number'],
  ['GET', '/api/user/?page=1.5', undefined, 'page must be a whole number'],
  ['GET', '/api/user/?page=0', undefined, 'page must be at least 1'],
  ['GET', '/api/user/?pagesize=101', undefined, 'pagesize must be at most 100'],
  ['GET', '/api/user/?order=id', undefined, "order must be one of '', quota, used_quota, request_count"],
  ['POST', '/api/user/topup', { key: 5 }, 'key must be text'],
  ['PUT', '/api/option/', { key: 'x'.repeat(3000), value: '' }, 'key must have at most'],
  ['POST', '/api/routing/explain', { model: 'm', needs: 'tools' }, 'needs must be a list'],
  ['PUT', '/api/token/batch', { ids: [1], change: { colour: 'red' } }, 'unknown field colour in change'],
  ['PUT', '/api/token/batch', { ids: [1], change: 5 }, 'change must be an object'],
  ['PUT', '/api/token/', { id: 1, status: 1, status_only: 'yes' }, 'status_only must be true or false'],
])('%s %s is refused in plain words with a code', async (method, path, body, words) => {
  const { success, message, params } = await answerTo(path, method, body)
  expect(success).toBeFalse()
  expect(message).toStartWith(words)
  expect(params.reason).toStartWith('field.')
})
