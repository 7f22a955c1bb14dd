import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { expectCharge } from '#server/testing/expect-charge.ts'
import { lastHold } from '#server/testing/last-hold.ts'
import { jsonAnswer } from '#server/testing/operation-charges.ts'
import { type RelayScene, startingQuota, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

/** $0.002 a search. */
const price = 1000

async function vendorOf(searches: unknown) {
  await scene.option('RequestPrice', '{"rerank-v3.5": 0.002}')
  const results = [{ index: 0, relevance_score: 1 }]
  const meta = searches === null ? {} : { meta: { billed_units: { search_units: searches } } }
  return scene.channel(jsonAnswer({ results, ...meta }), { models: 'rerank-v3.5', type: 40 })
}

const rank = (documents: readonly unknown[], query = 'a cat') =>
  scene.post('/v2/rerank', { model: 'rerank-v3.5', query, documents })

const short = (count: number) => new Array<string>(count).fill('a short document')
const long = 'a word and '.repeat(500)

test.each([
  ['a few documents', short(10), 1, 1],
  ['two hundred and fifty documents', short(250), 3, 3],
  ['forty long documents', new Array<string>(40).fill(long), 2, 2],
  ['documents with fields', new Array<object>(40).fill({ title: 'cats', text: long }), 2, 2],
  ['documents whose vendor does not sell searches', short(250), null, 1],
  ['documents whose vendor reports less than one', short(250), 0, 1],
  ['documents whose vendor reports more searches than can be', short(250), 1e9, 3],
  ['documents whose vendor reports nonsense', short(250), 'many', 1],
])('a ranking of %s costs its searches', async (_, documents, reported, searches) => {
  await vendorOf(reported)
  expectCharge(await scene.bill(() => rank(documents)), searches * price)
})

test('all searches of a ranking are held before anybody is asked', async () => {
  const channel = await vendorOf(3)
  await scene.root.call(api.users.update, { id: scene.userId, quota: 3 * price - 1 })
  expect((await rank(short(250))).status).toBe(402)
  expect(channel.seen).toHaveLength(0)
  expect((await rank(short(100))).status).toBe(200)
  await scene.root.call(api.users.update, { id: scene.userId, quota: startingQuota })
})

test.each([
  ['documents', (texts: readonly string[]) => ({ documents: texts })],
  ['texts', (texts: readonly string[]) => ({ texts })],
])('a ranking sold by the token holds its query with each of its %s', async (_, ranked) => {
  await scene.option('ModelRatio', '{"rerank-2.5": 1}')
  // Thirty words, two hundred times, and as many documents of three words.
  const usage = { total_tokens: 200 * (30 + 3) }
  await scene.channel(jsonAnswer({ results: [{ index: 0, relevance_score: 1 }], usage }), { models: 'rerank-2.5' })
  const body = { model: 'rerank-2.5', query: 'a cat and '.repeat(10), ...ranked(short(200)) }
  const bill = await scene.bill(async () => expect((await scene.post('/v1/rerank', body)).status).toBe(200))
  expect(await lastHold(scene)).toBeGreaterThanOrEqual(-bill.user)
})

test('a ranking of pictures by their addresses holds all the model can read for each', async () => {
  await scene.option('ModelRatio', '{"our-ranker": 0.001}')
  await scene.option('PreConsumedQuota', 0)
  await scene.channel(jsonAnswer({ results: [{ index: 0, relevance_score: 1 }] }), { models: 'our-ranker' })
  const rankThem = async (count: number) => {
    const documents = Array.from({ length: count }, (_, at) => ({ image: `https://pictures.example/${at}.png` }))
    await scene.post('/v1/rerank', { model: 'our-ranker', query: 'a cat', documents })
    return lastHold(scene)
  }
  expect(await rankThem(50)).toBeGreaterThanOrEqual(49 * (await rankThem(1)))
})
