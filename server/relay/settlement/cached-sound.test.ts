import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { expectCharge } from '#server/testing/expect-charge.ts'
import { jsonAnswer } from '#server/testing/operation-charges.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const model = 'gemini-2.5-flash'
const tokens = (text: number, sound: number) => [
  { modality: 'TEXT', tokenCount: text },
  { modality: 'AUDIO', tokenCount: sound },
]
const answer = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP' }],
  usageMetadata: {
    promptTokenCount: 1000,
    candidatesTokenCount: 100,
    totalTokenCount: 1100,
    cachedContentTokenCount: 900,
    promptTokensDetails: tokens(200, 800),
    cacheTokensDetails: tokens(100, 800),
  },
}
const messages = [{ role: 'user', content: 'hi' }]

test.each([
  [`/v1beta/models/${model}:generateContent`, { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }],
  ['/v1/chat/completions', { model, messages }],
  ['/v1/messages', { model, messages, max_tokens: 100 }],
  ['/v1/responses', { model, input: 'hi' }],
])('sound that comes from the cache costs its own price and is shown as cached by %s', async (path, body) => {
  await scene.channel(jsonAnswer(answer), { type: 24, models: model })
  let shown = ''
  const bill = await scene.bill(async () => {
    shown = await (await scene.post(path, body)).text()
  })
  // 100 × 0.15 + 100 × 0.015 + 800 × 0.05 + 100 × 1.25
  expectCharge(bill, 182)
  expect(shown).toMatch(/"(cachedContentTokenCount|cached_tokens|cache_read_input_tokens)":900/)
  const rows = scene.app.ctx.database.db.selectFrom('logs').select('cached_tokens').orderBy('id', 'desc').limit(1)
  expect(await rows.executeTakeFirstOrThrow()).toEqual({ cached_tokens: 900 })
})
