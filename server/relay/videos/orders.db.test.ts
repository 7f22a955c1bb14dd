import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { expectUntouched } from '#server/testing/expect-charge.ts'
import { jsonAnswer } from '#server/testing/operation-charges.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const made = jsonAnswer({ id: 'video_1', object: 'video', status: 'completed' })
const sora = { models: 'sora-2,sora-2-pro-2025-10-06' }

test.each([{ n: 4 }, { n_variants: 2 }, { duration: 'long' }, { duration: 100_000 }])(
  'a video of no known price is not begun: %p',
  async (more) => {
    const channel = await scene.channel(made, sora)
    const body = { model: 'sora-2', prompt: 'a cat', ...more }
    expectUntouched(await scene.bill(async () => expect((await scene.post('/v1/videos', body)).status).toBe(400)))
    expect(channel.seen).toEqual([])
  },
)

test('a resolution that costs more is refused until it has a price', async () => {
  const model = 'veo-3.1-generate-preview'
  const channel = await scene.channel(jsonAnswer({ name: 'operations/1' }), { type: 24, models: model })
  const begin = async () => {
    const body = { instances: [{ prompt: 'a cat' }], parameters: { resolution: '4K', durationSeconds: 8 } }
    return (await scene.post(`/v1beta/models/${model}:predictLongRunning`, body)).status
  }
  expectUntouched(await scene.bill(async () => expect(await begin()).toBe(400)))
  expect(channel.seen).toEqual([])
  await scene.option('RequestPrice', JSON.stringify({ [model]: 5 }))
  expect(await begin()).toBe(200)
})

async function heldFor(body: object): Promise<number> {
  await scene.channel(made, sora)
  const before = (await scene.books()).userQuota
  expect((await scene.post('/v1/videos', { prompt: 'a cat', ...body })).status).toBe(200)
  return before - (await scene.books()).userQuota
}

test.each([
  ['duration', { model: 'sora-2', duration: 60 }, 60 * 50_000],
  ['n_seconds beside seconds', { model: 'sora-2', seconds: '4', n_seconds: '12' }, 12 * 50_000],
  ['a large size of a model with a date', { model: 'sora-2-pro-2025-10-06', size: '1792x1024' }, 4 * 250_000],
])('a video is paid by its length and size under any name: %s', async (_, body, held) => {
  expect(await heldFor(body)).toBe(held)
})
