import { afterAll, beforeAll, expect, test } from 'bun:test'
import { countTokens } from '#server/billing/counting/tokenizer.ts'
import type { Double } from '#server/testing/doubles/double.ts'
import { doubleUsage, doubleVector } from '#server/testing/doubles/script.ts'
import type { DoubleKind } from '#server/testing/doubles/start-double.ts'
import { expectCharge } from '#server/testing/expect-charge.ts'
import { sdkClients } from '#server/testing/sdk-clients.ts'
import { startVendorScene, type VendorScene } from '#server/testing/vendor-scene.ts'

const vendors: [kind: DoubleKind, type: number, reports: boolean][] = [
  ['openai', 1, true],
  ['azure', 3, true],
  ['baidu', 15, true],
  ['zhipu', 16, true],
  ['dashscope', 17, true],
  ['tencent', 23, true],
  ['gemini', 24, false],
  ['ollama', 30, true],
]

let scene: VendorScene
const doubles = new Map<string, Double>()
beforeAll(async () => {
  scene = await startVendorScene()
  for (const [kind, type] of vendors) doubles.set(kind, await scene.vendor(kind, type, `${kind}-vectors`))
})
afterAll(() => scene.stop())

const texts = ['hello there', 'general']

async function priceOf(reports: boolean, asked: readonly string[], model: string): Promise<number> {
  return reports ? doubleUsage.input : await countTokens([...asked], model)
}

test.each(vendors)("Google's client gets embeddings through %s (type %d)", async (kind, _, reports) => {
  const model = `${kind}-vectors`
  const { models } = sdkClients(scene.app.url, scene.key).google
  const bill = await scene.bill(async () => {
    const answer = await models.embedContent({ model, contents: texts })
    expect(answer.embeddings?.map((embedding) => embedding.values)).toEqual([doubleVector, doubleVector])
  })
  const tokens = await priceOf(reports, texts, model)
  expectCharge(bill, tokens, { prompt_tokens: tokens, completion_tokens: 0, model_name: model })
})

test.each(vendors)('a single text is embedded through %s (type %d)', async (kind, _, reports) => {
  const model = `${kind}-vectors`
  const bill = await scene.bill(async () => {
    const response = await scene.post(`/v1beta/models/${model}:embedContent`, {
      content: { parts: [{ text: 'hello' }] },
    })
    expect(await response.json()).toMatchObject({ embedding: { values: doubleVector } })
  })
  expectCharge(bill, await priceOf(reports, ['hello'], model))
})

test('Gemini itself is sent the very bytes of the client', async () => {
  const body = { content: { parts: [{ text: 'x' }] }, taskType: 'RETRIEVAL_QUERY', unknown: { deep: [1] } }
  await scene.post('/v1beta/models/gemini-vectors:embedContent', body)
  const seen = doubles.get('gemini')?.requests.at(-1)
  expect(seen?.text).toBe(JSON.stringify(body))
  expect(seen?.path).toBe('/v1beta/models/gemini-vectors:embedContent')
})

test.each([
  ['outputDimensionality', { outputDimensionality: 64 }],
  ['output_dimensionality, as in the vendor’s own examples', { output_dimensionality: 64 }],
  ['embed_content_config', { embed_content_config: { output_dimensionality: 64 } }],
])('other vendors are asked for as many dimensions as the client names: %s', async (_, wish) => {
  const content = { parts: [{ text: 'hello' }] }
  const model = 'openai-vectors'
  expect((await scene.post(`/v1beta/models/${model}:embedContent`, { content, ...wish })).status).toBe(200)
  expect(doubles.get('openai')?.requests.at(-1)?.body).toMatchObject({ dimensions: 64 })
  const requests = [{ model: `models/${model}`, content, ...wish }]
  expect((await scene.post(`/v1beta/models/${model}:batchEmbedContents`, { requests })).status).toBe(200)
  expect(doubles.get('openai')?.requests.at(-1)?.body).toMatchObject({ dimensions: 64 })
})

test('what is no text is refused before anything is sent', async () => {
  const asked = doubles.get('openai')?.requests.length
  const body = { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] } }
  const response = await scene.post('/v1beta/models/openai-vectors:embedContent', body)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
  expect(doubles.get('openai')?.requests.length).toBe(asked)
})

test('a mapped name stands in every entry of a batch', async () => {
  const settings = { type: 24, model_mapping: '{"gpt-4o":"gemini-embedding-001"}' }
  const upstream = await scene.channel(() => Response.json({ embeddings: [{ values: [1] }] }), settings)
  const requests = [{ model: 'models/gpt-4o', content: { parts: [{ text: 'x' }] }, title: 't' }]
  expect((await scene.post('/v1beta/models/gpt-4o:batchEmbedContents', { requests })).status).toBe(200)
  expect(upstream.seen[0]?.path).toBe('/v1beta/models/gemini-embedding-001:batchEmbedContents')
  expect(upstream.seen[0]?.body).toEqual({ requests: [{ ...requests[0], model: 'models/gemini-embedding-001' }] })
})

const usage = { prompt_tokens: 2, total_tokens: 2 }

test.each([
  [1, 'sk-one', { data: [2, 0, 1].map((index) => ({ index, embedding: [index] })), usage }],
  [15, 'bce-v3/ALTAK-one', { data: [2, 0, 1].map((index) => ({ index, embedding: [index] })), usage }],
  [17, 'sk-one', { output: { embeddings: [1, 0, 2].map((text_index) => ({ text_index, embedding: [text_index] })) } }],
  [23, 'a|b|c', { Response: { Data: [2, 1, 0].map((Index) => ({ Index, Embedding: [Index] })) } }],
])('vectors stand in the order of the texts, however type %i lists them', async (type, key, body) => {
  const other = type === 17 ? 'plugin' : ''
  await scene.channel(() => Response.json(body), { type, key, other, models: `ordered-${type}` })
  await scene.option('ModelRatio', JSON.stringify({ [`ordered-${type}`]: 1 }))
  const requests = ['a', 'b', 'c'].map((text) => ({ content: { parts: [{ text }] } }))
  const response = await scene.post(`/v1beta/models/ordered-${type}:batchEmbedContents`, { requests })
  expect(await response.json()).toMatchObject({ embeddings: [{ values: [0] }, { values: [1] }, { values: [2] }] })
})
