import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { expectCharge, expectFree } from '#server/testing/expect-charge.ts'
import { chatAnswer, chatStream, errorAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'
import { fallbacksOf } from './fallbacks.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(async () => {
  scene.app.time.now = null
  await scene.clear()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const usage = { prompt_tokens: 10, completion_tokens: 5 }
const good = chatAnswer('hello', usage)
const bad = errorAnswer(500, { message: 'out of order' })

/** `dear` costs ten times what `gpt-4o` costs. */
async function fallBackTo(models: string[], ratios = { 'gpt-4o': 1, dear: 10, cheap: 0.5 }) {
  await scene.option('ModelRatio', JSON.stringify(ratios))
  await scene.option('CompletionRatio', '{"gpt-4o":4,"dear":4,"cheap":4}')
  await scene.option('ModelFallbacks', JSON.stringify({ 'gpt-4o': models }))
}

describe('a model that stands in for another', () => {
  test('answers at its own price, under its own name', async () => {
    await fallBackTo(['dear'])
    const broken = await scene.channel(bad)
    const other = await scene.channel(good, { models: 'dear' })
    let answer: Response | undefined
    const bill = await scene.bill(async () => {
      answer = await scene.chat({ max_tokens: 7 })
    })
    expect(answer?.status).toBe(200)
    expect(answer?.headers.get('x-switchyard-model')).toBe('dear')
    expect(other.seen[0]?.body).toMatchObject({ model: 'dear', max_tokens: 7 })
    expectCharge(bill, 300, { tried: `${broken.id},${other.id}`, channel: other.id, model_name: 'dear' })
  })

  test('streams, and is translated from another dialect, like the first', async () => {
    await fallBackTo(['dear'])
    await scene.channel(bad)
    await scene.channel(chatStream(['hel', 'lo'], usage), { models: 'dear' })
    const bill = await scene.bill(async () => {
      const body = { model: 'gpt-4o', max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'hi' }] }
      const text = await (await scene.post('/v1/messages', body)).text()
      expect(text).toContain('"model":"dear"')
      expect(text).toContain('message_stop')
    })
    expectCharge(bill, 300, { model_name: 'dear' })
  })

  test('is asked when no channel carries the first at all', async () => {
    await fallBackTo(['dear'])
    await scene.channel(good, { models: 'dear' })
    expectCharge(await scene.bill(() => scene.chat()), 300, { model_name: 'dear' })
  })

  test('comes before channels that rest', async () => {
    const resting = await scene.channel(errorAnswer(429, { message: 'slow down' }, { 'retry-after': '60' }))
    await scene.chat()
    await fallBackTo(['cheap'])
    const other = await scene.channel(good, { models: 'cheap' })
    expectCharge(await scene.bill(() => scene.chat()), 15, { tried: String(other.id) })
    expect(resting.seen).toHaveLength(1)
  })

  test('that fails too leaves the one that rests, while tries are left', async () => {
    await scene.option('RetryTimes', 1)
    const resting = await scene.channel([errorAnswer(429, { message: 'slow' }, { 'retry-after': '60' }), good])
    await scene.chat()
    await fallBackTo(['cheap'])
    const other = await scene.channel(bad, { models: 'cheap' })
    const bill = await scene.bill(async () => expect((await scene.chat()).status).toBe(200))
    expectCharge(bill, 30, { tried: `${other.id},${resting.id}`, model_name: 'gpt-4o' })
  })

  test('gets a try of its own whatever the retries, and so does the next', async () => {
    await fallBackTo(['dear', 'cheap'])
    const tried = [
      await scene.channel(bad),
      await scene.channel(bad, { models: 'dear' }),
      await scene.channel(good, { models: 'cheap' }),
    ]
    const ids = tried.map(({ id }) => id).join(',')
    expectCharge(await scene.bill(() => scene.chat()), 15, { tried: ids, model_name: 'cheap' })
  })

  test('is not asked after a fault of the client', async () => {
    await fallBackTo(['cheap'])
    await scene.channel(errorAnswer(400, { message: 'bad field' }))
    const other = await scene.channel(good, { models: 'cheap' })
    const bill = await scene.bill(async () => expect((await scene.chat()).status).toBe(400))
    expectFree(bill, { outcome: 'failed' })
    expect(other.seen).toEqual([])
  })

  test('that nobody can pay is passed over, and the fault of the first is the answer', async () => {
    await fallBackTo(['dear', 'cheap'], { 'gpt-4o': 1, dear: 1_000_000, cheap: 0.5 })
    await scene.channel(bad)
    const dear = await scene.channel(good, { models: 'dear' })
    const bill = await scene.bill(async () => {
      const answer = await scene.chat({ max_tokens: 100 })
      expect(answer.status).toBe(500)
      expect(await answer.text()).toContain('out of order')
    })
    expectFree(bill, { outcome: 'failed' })
    expect(dear.seen).toEqual([])
    await scene.channel(good, { models: 'cheap' })
    expectCharge(await scene.bill(() => scene.chat({ max_tokens: 100 })), 15, { model_name: 'cheap' })
  })

  test("obeys the token's models", async () => {
    await fallBackTo(['dear', 'cheap'])
    await scene.channel(bad)
    await scene.channel(good, { models: 'dear,cheap' })
    await scene.user.call(api.tokens.update, { id: scene.tokenId, models: 'gpt-4o,cheap' })
    expectCharge(await scene.bill(() => scene.chat()), 15, { model_name: 'cheap' })
    await scene.user.call(api.tokens.update, { id: scene.tokenId, models: '' })
  })

  test('is asked for embeddings and forms as well', async () => {
    await fallBackTo(['dear'])
    await scene.channel(bad, { models: 'gpt-4o' })
    const other = await scene.channel(() => Response.json({ text: 'spoken', duration: 3 }), { models: 'dear' })
    const form = new FormData()
    form.set('model', 'gpt-4o')
    form.set('file', new File(['sound'], 'a.mp3'))
    const answer = await scene.post('/v1/audio/transcriptions', form)
    expect(answer.status).toBe(200)
    expect(other.seen[0]?.body.model).toBe('dear')
  })
})

test('the channel is named to administrators alone', async () => {
  const channel = await scene.channel(good)
  expect((await scene.chat()).headers.get('x-switchyard-channel')).toBeNull()
  const token = await scene.root.call(api.tokens.create, { name: 'root', unlimited_quota: true })
  const answer = await scene.chat({}, { headers: { authorization: `Bearer sk-${token.key}` } })
  expect(answer.headers.get('x-switchyard-channel')).toBe(String(channel.id))
  expect(answer.headers.get('x-switchyard-model')).toBe('gpt-4o')
})

test('blanks around the names of fallbacks are no part of them', async () => {
  await fallBackTo([' dear\t'])
  await scene.channel(bad)
  await scene.channel(good, { models: 'dear' })
  expect((await scene.chat()).headers.get('x-switchyard-model')).toBe('dear')
})
test('fallbacks are followed in depth, each once', () => {
  expect(fallbacksOf({ a: ['b', 'd'], b: ['c', 'a'] }, 'a')).toEqual(['b', 'c', 'd'])
  expect(fallbacksOf({ a: ['b'] }, 'x')).toEqual([])
})

test.each([
  ['ModelFallbacks', '{"a":["b"],"b":["c"],"c":["a"]}', 'must not go in a circle: a → b → c → a'],
  ['ModelFallbacks', '{"a":["a"]}', 'must not go in a circle'],
  ['ModelFallbacks', '{"a":"b"}', 'must be a list'],
  ['ModelFallbacks', '{"a":[" "]}', 'must be a list'],
  ['ModelFallbacks', '{"a":["b"," b "]}', 'different model names'],
  ['ModelFallbacks', '{"a":[" a "]}', 'must not go in a circle'],
  ['ModelFallbacks', '[]', 'model fallbacks is not a valid JSON string'],
  ['RoutingStrategy', '{"*":"fast"}', 'must be weight, cost or latency'],
  ['StickyMinutes', '-1', 'StickyMinutes must be'],
])('%s = %s is refused', async (key, value, message) => {
  const answer = await scene.root.raw(api.options.update, { key, value })
  expect(answer.success).toBe(false)
  expect(answer.message).toContain(message)
})
