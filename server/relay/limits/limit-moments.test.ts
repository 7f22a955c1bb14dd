import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
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
