import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { expectCharge, expectUntouched } from '#server/testing/expect-charge.ts'
import { jsonAnswer } from '#server/testing/operation-charges.ts'
import { wav } from '#server/testing/recordings.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const model = 'gemini-2.5-flash'
const words = { parts: [{ text: 'hi' }] }
const keep = (more: object, content: object = words) =>
  scene.post('/v1beta/cachedContents', { model: `models/${model}`, contents: [{ role: 'user', ...content }], ...more })
const report = (usageMetadata: object) =>
  scene.channel(jsonAnswer({ name: 'cachedContents/c1', usageMetadata }), { type: 24, models: model })

test.each([
  { ttl: { seconds: 86_400 } },
  { ttl: 86_400 },
  { ttl: '86400' },
  { ttl: '1440m' },
  { expireTime: 'in a year' },
  { expire_time: { seconds: 1_900_000_000 } },
])('content is not kept for a time nobody can read: %p', async (more) => {
  const channel = await report({ totalTokenCount: 1000 })
  expectUntouched(await scene.bill(async () => expect((await keep(more)).status).toBe(400)))
  expect(channel.seen).toEqual([])
})

test('content with two times costs the longer one', async () => {
  await report({ totalTokenCount: 1000 })
  // 1000 read, and kept for ten hours at four times the price: 41 × 1000 × 0.15
  const expireTime = new Date(Date.now() + 60_000).toISOString()
  expectCharge(await scene.bill(() => keep({ ttl: '36000s', expireTime })), 6150)
})

test.each([
  ['as long as it plays', { totalTokenCount: 1930 }, { parts: [{ inlineData: of(wav(60)) }] }],
  [
    'as long as its vendor says',
    { totalTokenCount: 1930, audioDurationSeconds: 60 },
    { parts: [{ fileData: { fileUri: 'https://sounds.example/a.wav', mimeType: 'audio/wav' } }] },
  ],
])('sound that is to be cached is read at its own price, %s', async (_, usageMetadata, content) => {
  await report(usageMetadata)
  // 1930 × 5 × 0.15, and 1920 of them 0.35 more
  expectCharge(await scene.bill(() => keep({ ttl: '3600s' }, content)), 2120)
})

function of(bytes: Uint8Array) {
  return { mimeType: 'audio/wav', data: Buffer.from(bytes).toString('base64') }
}

test('content whose size is not reported costs what is counted', async () => {
  await report({})
  const bill = await scene.bill(() => keep({ ttl: '0s' }, { parts: [{ text: 'word '.repeat(10_000) }] }))
  expect(-bill.user).toBeGreaterThanOrEqual(1500)
  expect(-bill.user).toBeLessThan(2000)
})
