import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
  await scene.channel(chatAnswer('hello', { prompt_tokens: 1, completion_tokens: 1 }))
})
afterAll(() => scene.stop())

const paths = [
  '/v1/models',
  '/v1/models/gpt-4o',
  '/v1beta/models',
  '/v1/files',
  '/v1/batches',
  '/v1/responses/resp_none',
]

test.each(paths)('the answer to %s has a number of its own, where clients look for it', async (path) => {
  const ask = () => fetch(scene.app.url + path, { headers: { authorization: `Bearer ${scene.key}` } })
  const ids = (await Promise.all([ask(), ask()])).map(({ headers }) => headers.get('x-request-id'))
  expect(ids).not.toContain(null)
  expect(new Set(ids).size).toBe(2)
  expect((await ask()).headers.get('request-id')).not.toBeNull()
})
