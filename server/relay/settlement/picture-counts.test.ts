import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { expectCharge } from '#server/testing/expect-charge.ts'
import { jsonAnswer, pictureList } from '#server/testing/operation-charges.ts'
import { type RelayScene, startingQuota, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

test.each([
  ['n', { n: 4 }],
  ['batch_size', { batch_size: 4 }],
  ['numberOfImages', { n: 1, numberOfImages: 4 }],
  ['num_images_per_prompt', { n: 1, num_images_per_prompt: 4 }],
  ['a number as text', { 'Image-Count': '4' }],
  ['a setting inside of another', { extra_body: { parameters: [{ quantity: 4 }] } }],
  ['batches of two', { n_iter: 2, batch_size: 2 }],
  ['four prompts', { prompt: ['a cat', 'a dog', 'a cow', 'a hen'] }],
  ['a series', { sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: 4 } }],
])('pictures asked for by %s are held and paid each', async (_, more) => {
  const channel = await scene.channel(jsonAnswer(pictureList(4)), { models: 'dall-e-2' })
  const body = { model: 'dall-e-2', prompt: 'a cat', ...more }
  expectCharge(await scene.bill(() => scene.post('/v1/images/generations', body)), 40_000)
  await scene.root.call(api.users.update, { id: scene.userId, quota: 39_999 })
  expect((await scene.post('/v1/images/generations', body)).status).toBe(402)
  await scene.root.call(api.users.update, { id: scene.userId, quota: startingQuota })
  expect(channel.seen).toHaveLength(1)
})

test('what is no number of pictures is not taken for one', async () => {
  await scene.channel(jsonAnswer(pictureList(4)), { models: 'dall-e-2' })
  const settings = { seed: 7, steps: 30, num_inference_steps: 28, guidance_scale: 3.5, output_compression: 90 }
  const sizes = { width: 512, image_size: 1024, output_quality: 80, max_sequence_length: 256, images: ['a', 'b'] }
  const body = { model: 'dall-e-2', prompt: 'a cat', ...settings, ...sizes }
  expectCharge(await scene.bill(() => scene.post('/v1/images/generations', body)), 10_000)
})

test('a series costs as many pictures as its vendor says it drew', async () => {
  const drawn = { usage: { generated_images: 3, output_tokens: 0, total_tokens: 0 } }
  const events = `event: image_generation.completed\ndata: ${JSON.stringify({ type: 'image_generation.completed', ...drawn })}\n\n`
  await scene.channel(() => new Response(events, { headers: { 'content-type': 'text/event-stream' } }), {
    models: 'dall-e-2',
  })
  const body = { model: 'dall-e-2', prompt: 'a cat', stream: true, sequential_image_generation: 'auto' }
  const draw = async () => void (await (await scene.post('/v1/images/generations', body)).text())
  expectCharge(await scene.bill(draw), 30_000)
})

test('pictures of a form are counted by every name, and by none that is disguised', async () => {
  const channel = await scene.channel(jsonAnswer(pictureList(4)), { models: 'dall-e-2' })
  const edit = (name: string) => {
    const form = new FormData()
    for (const [field, value] of [
      ['model', 'dall-e-2'],
      ['prompt', 'a cat'],
      [name, '4'],
    ] as const)
      form.set(field, value)
    form.set('image', new File(['picture'], 'a.png'))
    return scene.post('/v1/images/edits', form)
  }
  for (const name of ['n', 'batch_size', 'num_images_per_prompt'])
    expectCharge(await scene.bill(() => edit(name)), 40_000)
  for (const name of ['n[]', 'n[0]', ' n', 'N']) expect((await edit(name)).status).toBe(400)
  expect(channel.seen).toHaveLength(3)
})
