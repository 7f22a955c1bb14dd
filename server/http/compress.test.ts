import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await startTestApp()
  admin = await signIn(app, { role: 'admin' })
})
afterAll(() => app.stop())

const ask = (accepted: string) =>
  admin.fetch('/api/models', { headers: { 'accept-encoding': accepted }, decompress: false } as RequestInit)

test('a long answer of the console API is compressed for clients that accept it', async () => {
  const packed = await ask('gzip, br')
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(packed.headers.get('vary')).toBe('accept-encoding')
  const bytes = await packed.bytes()
  const plain = await (await ask('identity')).text()
  expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(plain)
  expect(bytes.length * 2).toBeLessThan(plain.length)
})

test('a client that refuses compression gets the plain answer', async () => {
  for (const accepted of ['identity', 'gzip;q=0', 'br, gzip;q=0', '']) {
    expect((await ask(accepted)).headers.get('content-encoding')).toBeNull()
  }
})
