import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { signIn } from '#server/testing/sign-in.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'

let app: TestApp
let root: TestClient

beforeAll(async () => {
  app = await borrowApp()
  root = await app.root()
})
afterAll(() => app.stop())

const send = async (client: TestClient, path: string, body: string | ReadableStream, method = 'POST') => {
  const answer = await client.fetch(path, { method, body })
  return { status: answer.status, ...((await answer.json()) as { success: boolean; code?: string; message: string }) }
}

/** Without a length: the runtime sends it in chunks. */
const streamed = (text: string) => new Response(text).body as ReadableStream

const nested = (levels: number) => `{"username":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
const kilobytes = (count: number) => 'x'.repeat(count * 1024)

describe('a body of a stranger', () => {
  const login = (password: unknown) => JSON.stringify({ username: 'x', password })

  test('is at most 16 kB, whether it says its length or not', async () => {
    for (const body of [login(kilobytes(16)), login(Array(1_000_000).fill(1))]) {
      expect(await send(app.client(), '/api/user/login', body)).toMatchObject({
        status: 413,
        code: 'request.too_large',
      })
      expect((await send(app.client(), '/api/user/login', streamed(body))).status).toBe(413)
    }
    expect((await send(app.client(), '/api/user/login', login(kilobytes(15)))).status).toBe(200)
  })

  test('is counted in bytes, not in characters', async () => {
    expect((await send(app.client(), '/api/user/login', login('€'.repeat(6 * 1024)))).status).toBe(413)
  })
})

describe('a body of somebody logged in', () => {
  test('is at most 1 MB, and the text of an option 256 kB', async () => {
    const option = (size: number) => JSON.stringify({ key: 'Notice', value: kilobytes(size) })
    expect((await send(root, '/api/option/', option(1025), 'PUT')).status).toBe(413)
    expect((await send(root, '/api/option/', option(257), 'PUT')).status).toBe(413)
    expect(await send(root, '/api/option/', option(256), 'PUT')).toMatchObject({ status: 200, success: true })
    const wide = JSON.stringify({ key: 'Notice', value: '€'.repeat(100 * 1024) })
    expect((await send(root, '/api/option/', wide, 'PUT')).status).toBe(413)
  })
})

describe('nesting', () => {
  test('of 200 levels is followed, of more refused, on calls of strangers and of users', async () => {
    expect((await send(app.client(), '/api/user/login', nested(200))).code).toBe('request.invalid')
    for (const levels of [201, 5000]) {
      expect(await send(app.client(), '/api/user/login', nested(levels))).toMatchObject({
        status: 400,
        code: 'request.too_deep',
      })
    }
    const user = await signIn(app)
    expect((await send(user, '/api/token/', nested(30_000))).status).toBe(400)
  })
})

describe('a key given twice', () => {
  test.each([
    ['plainly', '{"username":"a","username":"b","password":"c"}'],
    ['with an escape', '{"username":"a","user\\u006eame":"b","password":"c"}'],
    ['deep inside', '{"username":"a","password":[{"x":{"y":1,"y":2}}]}'],
  ])('%s is refused', async (_, body) => {
    expect(await send(app.client(), '/api/user/login', body)).toMatchObject({
      status: 400,
      code: 'request.duplicate_key',
    })
  })

  test('in different objects is no such thing', async () => {
    const answer = await send(app.client(), '/api/user/login', '{"username":"a","password":"{\\"username\\":1}"}')
    expect(answer.code).toBe('auth.wrong_credentials')
  })
})

test.each(['"\\u0000"', '"a\\u0000b"', '["x",{"y":"\\u0000"}]'])(
  'the null character in %s is refused',
  async (value) => {
    const answer = await send(app.client(), '/api/user/login', `{"username":${value},"password":"x"}`)
    expect(answer.success).toBe(false)
    expect(answer.status).toBe(200)
  },
)
