import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { lastHold } from '#server/testing/last-hold.ts'
import { jsonAnswer } from '#server/testing/operation-charges.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

/** The beginning of a PNG of this many pixels on each side. */
function png(side: number): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.alloc(64)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  bytes.writeUInt32BE(side, 16)
  bytes.writeUInt32BE(side, 20)
  return new Uint8Array(bytes)
}

function edit(model: string, fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries({ model, prompt: 'a hat', ...fields })) form.set(name, value)
  form.append('image[]', new File([png(512)], 'a.png'))
  form.append('image[]', new File([png(512)], 'b.png'))
  return form
}

const report = (looked: number, drawn: number) => ({
  input_tokens: looked + 10,
  output_tokens: drawn,
  total_tokens: looked + 10 + drawn,
  input_tokens_details: { image_tokens: looked, text_tokens: 10 },
})

/** What was held for a request and what it cost. */
async function priced(models: string, usage: object, path: string, body: unknown) {
  await scene.channel(jsonAnswer({ created: 1, data: [{ b64_json: 'x' }], usage }), { models })
  const bill = await scene.bill(async () => expect((await scene.post(path, body)).status).toBe(200))
  return { cost: -bill.user, held: await lastHold(scene) }
}

/** Two pictures of one tile each, looked at twice. */
const faithful = 2 * (65 + 129 + 6240)

test.each([
  ['gpt-image-1', { input_fidelity: 'high', size: '1024x1024', quality: 'low' }],
  ['gpt-image-2', { size: '1024x1024', quality: 'low' }],
])('pictures for %s that are to stay as they are cost no more than is held', async (model, fields) => {
  const { cost, held } = await priced(model, report(faithful, 272), '/v1/images/edits', edit(model, fields))
  expect(held).toBeGreaterThanOrEqual(cost)
})

test('pictures that need not stay as they are hold what they did', async () => {
  const form = edit('gpt-image-1', { input_fidelity: 'low', size: '1024x1024', quality: 'low' })
  // 0.011 drawn, two pictures of 1,120 tokens at 10 in a million
  const { held } = await priced('gpt-image-1', report(388, 272), '/v1/images/edits', form)
  expect(held).toBeLessThan(5500 + 11_200 + 100)
})

test.each([
  ['the best of a small model', 'gpt-image-1-mini', { quality: 'high', size: '1024x1536' }, 6208],
  ['what a small model chooses itself', 'gpt-image-1-mini', {}, 6208],
  ['the largest', 'gpt-image-2', { quality: 'high', size: '3840x2160' }, 32_000],
])('%s costs no more than is held', async (_, model, more, drawn) => {
  const body = { model, prompt: 'a cat', ...more }
  const { cost, held } = await priced(model, report(0, drawn), '/v1/images/generations', body)
  expect(held).toBeGreaterThanOrEqual(cost)
})

/** Two pictures of 272 tokens, with three views of 100 each. */
const viewed = 2 * (272 + 3 * 100)

test('views of pictures that are not done yet cost no more than is held, also of those to be changed', async () => {
  const wish = { size: '1024x1024', quality: 'low' }
  const body = { model: 'gpt-image-1', prompt: 'a cat', n: 2, partial_images: 3, ...wish }
  const made = await priced('gpt-image-1', report(0, viewed), '/v1/images/generations', body)
  expect(made.held).toBeGreaterThanOrEqual(made.cost)
  const form = edit('gpt-image-1', { n: '2', partial_images: '3', ...wish })
  const changed = await priced('gpt-image-1', report(2 * 1120, viewed), '/v1/images/edits', form)
  expect(changed.held).toBeGreaterThanOrEqual(changed.cost)
})

test('the best of a small model costs its own price where nothing is reported', async () => {
  const body = { model: 'gpt-image-1-mini', prompt: 'a cat', quality: 'high', size: '1024x1024' }
  expect((await priced('gpt-image-1-mini', {}, '/v1/images/generations', body)).cost).toBe(16_650)
})

test.each([
  ['as usual', {}, 1120],
  ['as closely as can be', { mediaResolution: { level: 'MEDIA_RESOLUTION_ULTRA_HIGH' } }, 2240],
])('small pictures Gemini looks at %s cost no more than is held', async (_, more, each) => {
  const model = 'gemini-3.1-pro-preview'
  const looked = { promptTokenCount: 50 * each + 10, candidatesTokenCount: 10, totalTokenCount: 50 * each + 20 }
  const said = { content: { role: 'model', parts: [{ text: 'a' }] }, finishReason: 'STOP' }
  const channel = await scene.channel(jsonAnswer({ candidates: [said], usageMetadata: looked }), {
    type: 24,
    models: model,
  })
  const inlineData = { mimeType: 'image/png', data: Buffer.from(png(32)).toString('base64') }
  const body = {
    contents: [{ role: 'user', parts: Array.from({ length: 50 }, () => ({ inlineData, ...more })) }],
    generationConfig: { maxOutputTokens: 100 },
  }
  const bill = await scene.bill(() => scene.post(`/v1beta/models/${model}:generateContent`, body))
  expect(channel.seen).toHaveLength(1)
  expect(await lastHold(scene)).toBeGreaterThanOrEqual(-bill.user)
})

const fine = 16_384

test.each([
  ['enlarged', png(32), { min_pixels: 16_777_216, max_pixels: 16_777_216 }, {}],
  ['enlarged by words', png(32), { min_pixels: '16777216' }, {}],
  ['of many pixels', png(4096), { max_pixels: 16_777_216 }, {}],
  ['of many pixels, all of which are read', png(4096), {}, { vl_high_resolution_images: true }],
])('pictures for Qwen that are %s cost no more than is held', async (_, bytes, more, settings) => {
  const model = 'qwen3-vl-plus'
  const url = `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`
  const content = Array.from({ length: 10 }, () => ({ type: 'image_url', image_url: { url }, ...more }))
  const usage = { prompt_tokens: 10 * fine + 10, completion_tokens: 10, total_tokens: 10 * fine + 20 }
  const message = { role: 'assistant', content: 'a' }
  const channel = await scene.channel(jsonAnswer({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }), {
    type: 17,
    models: model,
  })
  const body = { model, max_tokens: 100, messages: [{ role: 'user', content }], ...settings }
  const bill = await scene.bill(() => scene.post('/v1/chat/completions', body))
  expect(channel.seen).toHaveLength(1)
  expect(await lastHold(scene)).toBeGreaterThanOrEqual(-bill.user)
})

test('pictures for Qwen are held by their size otherwise', async () => {
  const model = 'qwen3-vl-plus'
  const url = `data:image/png;base64,${Buffer.from(png(32)).toString('base64')}`
  await scene.channel(jsonAnswer({}), { type: 17, models: model })
  const content = [{ type: 'image_url', image_url: { url }, min_pixels: 65_536 }]
  await scene.post('/v1/chat/completions', { model, max_tokens: 100, messages: [{ role: 'user', content }] })
  // 1,120 tokens of the picture at 0.2 in a million, 100 of the answer at 1.6
  expect(await lastHold(scene)).toBeLessThan(112 + 80 + 300 + 500)
})
