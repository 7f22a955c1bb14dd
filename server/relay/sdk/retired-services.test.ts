import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const retired: [name: string, type: number, key: string, hint: string][] = [
  ['PaLM', 11, 'AIza-old', 'use a Google Gemini channel (type 24)'],
  ['Hunyuan', 23, '1|AKID|secret', 'use a TokenHub key'],
]

test.each(retired)('%s says what to do when its address no longer answers', async (_, type, key, hint) => {
  await scene.channel(() => new Response(), { type, key, base_url: 'http://127.0.0.1:1' })
  const response = await scene.chat()
  expect(response.status).toBe(502)
  expect(await response.text()).toContain(hint)
})

test.each(retired)('%s says what to do when its address answers with an error', async (_, type, key, hint) => {
  await scene.channel(() => new Response('gone', { status: 503 }), { type, key })
  const response = await scene.chat()
  expect(response.status).toBe(503)
  expect(await response.text()).toContain(hint)
})
