import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { lastHold } from '#server/testing/last-hold.ts'
import { jsonAnswer, pictureList, recording } from '#server/testing/operation-charges.ts'
import { wav } from '#server/testing/recordings.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

function formOf(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    form.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  return form
}

async function held(path: string, body: unknown): Promise<number> {
  expect((await scene.post(path, body)).status).toBe(200)
  return lastHold(scene)
}

const wish = { model: 'gpt-image-1', prompt: 'a hat', size: '1024x1024', quality: 'low' }
const picture = `data:image/png;base64,${Buffer.alloc(64).toString('base64')}`

test.each([
  ['a prompt of brackets', { prompt: '[{()}]'.repeat(2000) }],
  ['a prompt of a rare script', { prompt: 'ᏣᎳᎩ '.repeat(2000) }],
  ['several pictures', { n: 3 }],
  ['the best of them', { quality: 'high', size: '1536x1024' }],
  ['a size nobody lists', { size: '3840x2160' }],
  ['views before they are done', { n: 2, partial_images: 3 }],
  ['pictures by another name', { extra_body: { parameters: { batch_size: 4 } } }],
  ['a picture by its address', { image: 'https://pictures.example/a.png' }],
  ['a picture in its address', { image: picture }],
])('a form holds what a body with the same fields does: %s', async (_, more) => {
  await scene.channel(jsonAnswer(pictureList(1)), { models: 'gpt-image-1' })
  const fields = { ...wish, ...more }
  const body = await held('/v1/images/generations', fields)
  const form = await held('/v1/images/edits', formOf(fields))
  // The names of fields are a few tokens of a body.
  expect(form).toBeGreaterThan(body - 200)
  expect(form).toBeLessThan(body + 200)
})

test('settings in brackets count like those inside of others', async () => {
  await scene.channel(jsonAnswer(pictureList(1)), { models: 'gpt-image-1' })
  const one = await held('/v1/images/edits', formOf(wish))
  const four = await held('/v1/images/edits', formOf({ ...wish, 'options[batch_size]': 4 }))
  expect(four).toBeGreaterThanOrEqual(4 * (one - 100))
})

test('what a recording is said to be about is held beside it', async () => {
  await scene.channel(jsonAnswer({ text: 'hello' }), { models: 'gpt-4o-transcribe' })
  const form = (fields: Record<string, string>) => recording({ model: 'gpt-4o-transcribe', ...fields }, wav(1))
  const plain = await held('/v1/audio/transcriptions', form({}))
  const about = await held('/v1/audio/transcriptions', form({ prompt: 'word '.repeat(8000) }))
  // 8,000 tokens at 2.5 in a million
  expect(about - plain).toBeGreaterThanOrEqual(8000 * 1.25)
  const voice = `data:audio/wav;base64,${Buffer.from(wav(2)).toString('base64')}`
  const known = await held('/v1/audio/transcriptions', form({ 'known_speaker_references[]': voice }))
  expect(known - plain).toBeLessThan(1000)
})
