import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { parseRoute } from '#server/db/logs/route-record.ts'
import { expectCharge, expectUntouched } from '#server/testing/expect-charge.ts'
import { jsonAnswer } from '#server/testing/operation-charges.ts'
import { wav } from '#server/testing/recordings.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const model = 'gemini-embedding-2'
const google = { type: 24, models: model }
const vector = { embedding: { values: [0.5] } }
const of = (mimeType: string, bytes: Uint8Array = new Uint8Array(10)) => ({
  parts: [{ inlineData: { mimeType, data: Buffer.from(bytes).toString('base64') } }],
})
const embed = (content: object) => scene.post(`/v1beta/models/${model}:embedContent`, { content })

test.each([
  ['AUDIO', of('audio/wav', wav(60)), 1920, 6240],
  ['IMAGE', of('image/png'), 258, 59],
])('what is embedded costs the price of its kind: %s', async (modality, content, tokenCount, cost) => {
  const usageMetadata = { promptTokenCount: tokenCount, promptTokensDetails: [{ modality, tokenCount }] }
  await scene.channel(jsonAnswer({ ...vector, usageMetadata }), google)
  expectCharge(await scene.bill(() => embed(content)), cost)
  const rows = scene.app.ctx.database.db.selectFrom('logs').select('route').orderBy('id', 'desc').limit(1)
  expect(parseRoute((await rows.executeTakeFirstOrThrow()).route).reserve).toBeGreaterThanOrEqual(cost)
})

test('a minute of sound is counted where its vendor reports nothing', async () => {
  await scene.channel(jsonAnswer(vector), google)
  // 60 s × 32 tokens
  expectCharge(await scene.bill(() => embed(of('audio/wav', wav(60)))), 6240)
})

test.each([of('video/mp4'), { parts: [{ fileData: { mimeType: 'Video/mp4', fileUri: 'https://films.example/a' } }] }])(
  'a film is not embedded, for it has no price',
  async (content) => {
    const channel = await scene.channel(jsonAnswer(vector), google)
    const path = `/v1beta/models/${model}:batchEmbedContents`
    const all = { requests: [{ model: `models/${model}`, content }] }
    expectUntouched(await scene.bill(async () => expect((await embed(content)).status).toBe(400)))
    expectUntouched(await scene.bill(async () => expect((await scene.post(path, all)).status).toBe(400)))
    expect(channel.seen).toEqual([])
  },
)

const long = 'word '.repeat(1000)

test.each([
  ['messages', { messages: [{ role: 'user', content: long }] }],
  ['texts', { input: 'hi', texts: [long] }],
  ['inputs', { input: 'hi', inputs: long }],
])('what is embedded under the name %s is counted where nothing is reported', async (_, body) => {
  await scene.channel(jsonAnswer({ object: 'list', data: [{ embedding: [0.5] }] }))
  const bill = await scene.bill(() => scene.post('/v1/embeddings', { model: 'gpt-4o', ...body }))
  expect(-bill.user).toBeGreaterThanOrEqual(1000)
  expect(-bill.user).toBeLessThan(1300)
})

test('settings of embeddings are no prompt', async () => {
  await scene.channel(jsonAnswer({ object: 'list', data: [{ embedding: [0.5] }] }))
  const settings = { encoding_format: 'float', dimensions: 256, user: 'ann', extra: { truncate: true, task: 'search' } }
  expectCharge(await scene.bill(() => scene.post('/v1/embeddings', { model: 'gpt-4o', input: 'hi', ...settings })), 1)
})
