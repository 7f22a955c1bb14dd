import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { chatAnswer, errorAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(async () => {
  scene.app.time.now = null
  await scene.clear()
})
afterAll(() => scene.stop())

const good = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })

async function tokenWith(limits: { rpm?: number; tpm?: number }) {
  const { key } = await scene.user.call(api.tokens.create, { name: 'mine', unlimited_quota: true, ...limits })
  return { authorization: `Bearer sk-${key}` }
}

const body = { model: 'gpt-4o', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }

test.skipIf(onPostgres)('a request whose body was long on its way counts from when it is let in', async () => {
  await scene.channel(good)
  const headers = await tokenWith({ rpm: 1 })
  const began = Date.parse('2026-11-10T10:00:00.000Z')
  scene.app.time.now = began
  const rest = Promise.withResolvers<void>()
  const [first, second] = [JSON.stringify(body).slice(0, 10), JSON.stringify(body).slice(10)]
  const slowly = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from(first))
      await rest.promise
      controller.enqueue(Buffer.from(second))
      controller.close()
    },
  })
  const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: slowly }
  const answer = fetch(`${scene.app.url}/v1/chat/completions`, init)
  await Bun.sleep(100)
  scene.app.time.now = began + 30_000
  rest.resolve()
  expect((await answer).status).toBe(200)
  scene.app.time.now = began + 61_000
  expect((await scene.chat({}, { headers })).status).toBe(429)
  scene.app.time.now = began + 91_000
  expect((await scene.chat({}, { headers })).status).toBe(200)
})

test('a request that was counted and failed says what is left', async () => {
  await scene.channel(errorAnswer(400, { message: 'no' }))
  const headers = await tokenWith({ rpm: 3, tpm: 1000 })
  const answer = await scene.chat({ max_tokens: 5 }, { headers })
  expect(answer.status).toBe(400)
  expect(answer.headers.get('x-ratelimit-limit-requests')).toBe('3')
  expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('2')
  expect(answer.headers.get('x-ratelimit-limit-tokens')).toBe('1000')
})

test('the reset time in the headers is exact, however long the answer took', async () => {
  const began = Date.parse('2026-11-10T10:00:00.200Z')
  scene.app.time.now = began
  await scene.channel((seen) => {
    scene.app.time.now = began + 40_000
    return good(seen)
  })
  const { authorization } = await tokenWith({ rpm: 3 })
  const answer = await fetch(`${scene.app.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': authorization.slice('Bearer '.length), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
  expect(['20s', '21s']).toContain(answer.headers.get('x-ratelimit-reset-requests') ?? '')
  expect(answer.headers.get('anthropic-ratelimit-requests-reset')).toBe('2026-11-10T10:01:01Z')
})
