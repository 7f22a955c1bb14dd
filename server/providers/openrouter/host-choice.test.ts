import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const openRouter = 20
const usage = { prompt_tokens: 5, completion_tokens: 10 }

/** What OpenRouter is sent of these wishes about its hosts. */
async function sentOf(model: string, provider: unknown, more: Parameters<RelayScene['channel']>[1] = {}) {
  const channel = await scene.channel(chatAnswer('hi', usage), { type: openRouter, models: model, ...more })
  expect((await scene.chat({ model, provider })).status).toBe(200)
  const [request] = channel.seen
  return (request?.body as { provider?: unknown } | undefined)?.provider
}

test('a client that chooses among hosts gets none that asks more than the list price', async () => {
  expect(await sentOf('deepseek/deepseek-r1', { only: ['dear'], sort: 'throughput' })).toEqual({
    only: ['dear'],
    sort: 'throughput',
    max_price: { prompt: 0.55, completion: 2.19 },
  })
})

test('a lower price of its own stays, a higher one does not', async () => {
  expect(await sentOf('deepseek/deepseek-r1', { max_price: { prompt: '0.2', completion: 99, image: 1 } })).toEqual({
    max_price: { prompt: 0.2, completion: 2.19, image: 1 },
  })
})

test('the price of the model that is sent counts, whatever the client calls it', async () => {
  await scene.option('ModelRatio', '{"ours": 1}')
  const mapped = { model_mapping: '{"ours":"deepseek/deepseek-r1"}' }
  expect(await sentOf('ours', { order: ['dear'] }, mapped)).toMatchObject({
    max_price: { prompt: 0.55, completion: 2.19 },
  })
})

test('who wishes nothing is sent nothing of it', async () => {
  expect(await sentOf('deepseek/deepseek-r1', undefined)).toBeUndefined()
})
