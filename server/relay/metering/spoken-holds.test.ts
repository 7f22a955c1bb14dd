import { afterAll, beforeAll, expect, test } from 'bun:test'
import { lastHold } from '#server/testing/last-hold.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterAll(() => scene.stop())

test.each([
  ['by its number', { responseModalities: [3] }],
  ['by the voice it is to have', { speechConfig: { voiceConfig: {} } }],
])('an answer that Google is asked to speak %s is held as sound', async (_, config) => {
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
  const generationConfig = { maxOutputTokens: 1000, ...config }
  const model = 'gpt-audio-mini'
  await scene.channel(
    () => Response.json({ candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }] }),
    { type: 24, models: model },
  )
  await scene.post(`/v1beta/models/${model}:generateContent`, { contents, generationConfig })
  // 20 in a million
  expect(await lastHold(scene)).toBeGreaterThanOrEqual(10_000)
})
