import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { expectCharge, expectFree, expectUntouched } from '#server/testing/expect-charge.ts'
import { errorAnswer, eventStream } from '#server/testing/fake-upstream.ts'
import { jsonAnswer, operationCharges, pictureList, recording } from '#server/testing/operation-charges.ts'
import { startBreakingUpstream } from '#server/testing/raw-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

describe('the charge of', () => {
  test.each(operationCharges.map((entry) => [entry.says, entry] as const))('%s', async (_, entry) => {
    for (const [key, value] of Object.entries(entry.options ?? {})) await scene.option(key as never, value)
    const channel = await scene.channel(entry.upstream, { models: entry.model })
    const bill = await scene.bill(async () => {
      const response = await scene.post(entry.path, entry.body())
      const text = await response.text()
      expect(response.status, text).toBe(200)
    })
    const [prompt_tokens, completion_tokens] = entry.tokens ?? [0, 0]
    expectCharge(bill, entry.charge, { channel: channel.id, model_name: entry.model, prompt_tokens, completion_tokens })
    expect(bill.rows[0]?.content).not.toBe('')
    expect(channel.seen[0]?.path).toBe(entry.sentTo ?? entry.path)
  })

  test('moderations, which are free and count', async () => {
    await scene.channel(jsonAnswer({ results: [{ flagged: false }] }), { models: 'omni-moderation-latest' })
    const bill = await scene.bill(async () =>
      expect((await scene.post('/v1/moderations', { input: 'hello' })).status).toBe(200),
    )
    expect(bill).toMatchObject({ user: 0, token: 0, requests: 1, holds: 0 })
    expect(bill.rows).toHaveLength(1)
  })

  test('a mapped recording, whose form is sent on with the other name', async () => {
    const channel = await scene.channel(jsonAnswer({ text: 'hello', usage: { type: 'duration', seconds: 2 } }), {
      models: 'whisper-1',
      model_mapping: '{"whisper-1":"whisper-large"}',
    })
    const bill = await scene.bill(() => scene.post('/v1/audio/transcriptions', recording({ model: 'whisper-1' })))
    expectCharge(bill, 100, { model_name: 'whisper-1' })
    expect(channel.seen[0]?.body.model).toBe('whisper-large')
  })
})

const recorded = (...more: [string, string | File][]): FormData => {
  const form = new FormData()
  form.set('model', 'whisper-1')
  form.set('response_format', 'text')
  for (const [name, value] of more) form.append(name, value)
  return form
}
const sound = new File(['sound'], 'a.mp3')

test.each([
  ['sent twice', recorded(['file', sound], ['file', sound])],
  ['named by its address', recorded(['url', 'https://sounds.example/an-hour.mp3'])],
  ['sent and named by another address', recorded(['file', sound], ['url', 'https://sounds.example/an-hour.mp3'])],
  ['kept at the vendor', recorded(['file', sound], ['file_id', 'file-1'])],
  ['sent as text', recorded(['file', 'sound'])],
  ['left out', recorded()],
])('a recording %s has no length: it is refused', async (_, form) => {
  const channel = await scene.channel(() => new Response('hello'), { models: 'whisper-1' })
  const bill = await scene.bill(async () => {
    const answer = await scene.post('/v1/audio/transcriptions', form)
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('one file')])
  })
  expectUntouched(bill)
  expect(channel.seen).toHaveLength(0)
})

test.each([
  ['/v1/embeddings', { input: [] }, { object: 'list', data: [] }],
  ['/v1/embeddings', { input: [''] }, { object: 'list', data: [] }],
  ['/v1/rerank', { query: 'hi', documents: ['a'], top_n: 0 }, { results: [] }],
])(
  'an empty list is an answer of %s to who asked for none, and no fault of the channel',
  async (path, body, answer) => {
    const channel = await scene.channel(jsonAnswer(answer))
    const response = await scene.post(path, { model: 'gpt-4o', ...body })
    expect(response.status).toBe(200)
    expect(channel.seen).toHaveLength(1)
  },
)

test('pictures nobody asked for cost nothing', async () => {
  await scene.channel(jsonAnswer(pictureList(1000)), { models: 'dall-e-2,gpt-4o' })
  const draw = (more: object) => scene.post('/v1/images/generations', { model: 'dall-e-2', prompt: 'a cat', ...more })
  const one = await scene.bill(() => draw({}))
  expectCharge(one, 10_000)
  expect((await scene.bill(() => draw({ n: 3 }))).user).toBe(3 * one.user)
})

describe('nothing is charged for', () => {
  test('pictures that did not come', async () => {
    await scene.channel(jsonAnswer(pictureList(0)), { models: 'dall-e-2' })
    const bill = await scene.bill(() => scene.post('/v1/images/generations', { model: 'dall-e-2', prompt: 'a cat' }))
    expectFree(bill, { outcome: 'done' })
  })

  test('an operation the provider refused', async () => {
    await scene.channel(errorAnswer(400, { message: 'no', type: 'invalid_request_error' }), { models: 'tts-1' })
    const bill = await scene.bill(async () =>
      expect((await scene.post('/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'x' })).status).toBe(400),
    )
    expectFree(bill, { outcome: 'failed' })
  })

  test('an error inside a success', async () => {
    await scene.channel(jsonAnswer({ error: { message: 'model is loading', type: 'server_error' } }), {
      models: 'gpt-4o',
    })
    const bill = await scene.bill(async () =>
      expect((await scene.post('/v1/embeddings', { model: 'gpt-4o', input: 'hi' })).status).toBeGreaterThanOrEqual(500),
    )
    expectFree(bill, { outcome: 'failed' })
  })

  test.each([
    ['/v1/embeddings', { input: 'hi' }, {}],
    ['/v1/embeddings', { input: 'hi' }, { object: 'list', data: [], usage: { prompt_tokens: 0 } }],
    ['/v1beta/models/gpt-4o:embedContent', { content: { parts: [{ text: 'hi' }] } }, { object: 'list' }],
    ['/v1/rerank', { query: 'hi', documents: ['a'] }, { id: 'r' }],
    ['/v1/audio/speech', { input: 'hi', voice: 'x' }, { message: 'try again' }],
    ['/v1/images/generations', { prompt: 'a cat' }, { created: 1 }],
    ['/v1/responses/compact', { input: [{ role: 'user', content: 'hi' }] }, {}],
  ])('an answer of %s without one, which leads to the next channel', async (path, body, answer) => {
    await scene.option('RetryTimes', 1)
    const [first, second] = [await scene.channel(jsonAnswer(answer)), await scene.channel(jsonAnswer(answer))]
    const bill = await scene.bill(async () => {
      const response = await scene.post(path, { model: 'gpt-4o', ...body })
      expect([response.status, await response.text()]).toEqual([502, expect.stringContaining('empty answer')])
    })
    expectFree(bill, { outcome: 'failed' })
    expect([first.seen.length, second.seen.length]).toEqual([1, 1])
  })

  test('a page instead of embeddings', async () => {
    await scene.channel(() => new Response('<html></html>', { headers: { 'content-type': 'text/html' } }))
    const bill = await scene.bill(async () =>
      expect((await scene.post('/v1/embeddings', { model: 'gpt-4o', input: 'hi' })).status).toBe(502),
    )
    expectFree(bill, { outcome: 'failed' })
  })
})

test('pictures that a vendor calls images are charged as any', async () => {
  const answer = { images: [{ url: 'https://x.example/1' }, { url: 'https://x.example/2' }] }
  await scene.channel(jsonAnswer(answer), { models: 'dall-e-2' })
  const bill = await scene.bill(() =>
    scene.post('/v1/images/generations', { model: 'dall-e-2', prompt: 'a cat', n: 2 }),
  )
  expectCharge(bill, 2 * 10_000)
})

describe('pictures that come as events', () => {
  const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
  const preview = event('image_generation.partial_image', { b64_json: 'AAAA' })
  const error = event('error', { error: { message: 'the picture was refused', type: 'image_generation_error' } })
  const draw = async (more: object = {}) =>
    (
      await scene.post('/v1/images/generations', { model: 'gpt-image-1', prompt: 'a cat', stream: true, ...more })
    ).text()

  test.each([0, 9])('cost nothing when the vendor gives up after a preview (%i)', async (cut) => {
    const key = 'secret-of-the-channel'
    const named = error.replace('refused', `refused to ${key}`)
    const at = named.indexOf(key) + cut
    const pieces = [named.slice(0, at), 20, named.slice(at)]
    await scene.channel(eventStream(preview, 20, ...pieces), { models: 'gpt-image-1', key })
    const bill = await scene.bill(async () => expect(await draw()).toContain('the picture was refused to [key]'))
    expectFree(bill, { outcome: 'failed', content: 'the picture was refused to [key]' })
  })

  test.each([10, 100_000])('cost what each of them reports, however long they are (%i)', async (length) => {
    const usage = {
      input_tokens: 10,
      output_tokens: 1000,
      total_tokens: 1010,
      input_tokens_details: { text_tokens: 10, image_tokens: 0 },
    }
    const b64_json = 'A'.repeat(length)
    const drawn = event('image_generation.completed', { b64_json, usage })
    await scene.channel(eventStream(preview, drawn, preview, drawn, drawn), { models: 'gpt-image-1' })
    const bill = await scene.bill(() => draw({ n: 3 }))
    expectCharge(bill, 3 * (10 * 2.5 + 1000 * 20), { prompt_tokens: 30, completion_tokens: 3000 })
  })

  test('cost the one report of a vendor that sums them up at the end', async () => {
    const usage = { input_tokens: 0, output_tokens: 2000, total_tokens: 2000, generated_images: 2 }
    const one = event('image_generation.partial_succeeded', { url: 'u' })
    const end = event('image_generation.completed', { usage })
    await scene.channel(eventStream(one, one, end), { models: 'gpt-image-1' })
    expectCharge(await scene.bill(() => draw({ n: 2 })), 2000 * 20)
  })

  test('are asked of the next channel when the first event is an error', async () => {
    await scene.option('RetryTimes', 1)
    await scene.channel(eventStream(error), { models: 'gpt-image-1', priority: 2 })
    const usage = { input_tokens: 10, output_tokens: 1000, total_tokens: 1010 }
    const drawn = event('image_generation.completed', { b64_json: 'AAAA', usage })
    await scene.channel(eventStream(drawn), { models: 'gpt-image-1', priority: 1 })
    expectCharge(await scene.bill(() => draw()), 10 * 2.5 + 1000 * 20)
  })
})

test.each([
  ['of more than anybody can read', { prompt_tokens: 1e30, total_tokens: 1e30 }, 2],
  ['of less than nothing', { prompt_tokens: -1000, total_tokens: -1000 }, 2],
  ['in texts', { prompt_tokens: '1000', total_tokens: '1000' }, 1000],
])('a report %s does not empty the balance', async (_, usage, prompt_tokens) => {
  const data = [{ object: 'embedding', index: 0, embedding: [0.5] }]
  await scene.channel(jsonAnswer({ object: 'list', data, usage }))
  const body = { model: 'gpt-4o', input: 'hello world' }
  expectCharge(await scene.bill(() => scene.post('/v1/embeddings', body)), prompt_tokens, { prompt_tokens })
})

describe('speech that breaks off', () => {
  test('breaks off for the client too, and the row says so', async () => {
    const raw = startBreakingUpstream('audio/mpeg', 'x'.repeat(1000))
    try {
      await scene.channel(jsonAnswer({}), { models: 'tts-1', base_url: raw.url })
      const listen = async () =>
        (await scene.post('/v1/audio/speech', { model: 'tts-1', input: 'hello', voice: 'x' })).arrayBuffer()
      const bill = await scene.bill(async () => {
        await expect(listen()).rejects.toThrow()
      })
      expectCharge(bill, 38, { outcome: 'failed' })
      expect(bill.rows[0]?.content).toContain('before it was complete')
    } finally {
      raw.stop()
    }
  })
})
