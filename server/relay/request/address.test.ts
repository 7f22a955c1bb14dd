import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expectCharge, expectUntouched } from '#server/testing/expect-charge.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { relayPath } from './address.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const good = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })
const ask = { model: 'gpt-4o', max_tokens: 20, messages: [{ role: 'user', content: 'hi' }] }

test.each([
  ['/v1/v1/chat/completions', '/v1/chat/completions'],
  ['/chat/completions', '/v1/chat/completions'],
  ['//v1//chat/completions/', '/v1/chat/completions'],
  ['/messages', '/v1/messages'],
  ['/v1/v1beta/models/m:generateContent', '/v1beta/models/m:generateContent'],
  ['/models/m:generateContent', '/v1beta/models/m:generateContent'],
  ['/models', '/v1/models'],
  ['/v1', '/v1'],
  ['/v1alpha/models', '/v1alpha/models'],
  ['/chat', null],
  ['/model', null],
  ['/', null],
  ['/api/v1/models', null],
])('the address %s is %p to the relay', (typed, known) => {
  expect(relayPath(typed)).toBe(known)
})

test.each(['/v1/v1/chat/completions', '/chat/completions', '/v1//chat/completions/', '//v1/chat/completions'])(
  'a request to %s is answered and paid',
  async (path) => {
    await scene.channel(good)
    const bill = await scene.bill(async () => expect((await scene.post(path, ask)).status).toBe(200))
    expectCharge(bill, 30)
  },
)

test.each([
  ['an empty authorization', { authorization: '' }],
  ['one that holds no key', { authorization: 'Bearer ' }],
])('%s leaves the key to the header that has it', async (_, headers) => {
  await scene.channel(good)
  const more = { ...headers, 'x-api-key': scene.key }
  expect((await scene.post('/v1/messages', ask, { headers: more })).status).toBe(200)
})

test('the word before a key may be written small', async () => {
  await scene.channel(good)
  expect((await scene.chat({}, { headers: { authorization: `bearer ${scene.key}` } })).status).toBe(200)
})

describe('an unknown address', () => {
  const errorAt = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(scene.app.url + path, { headers: { authorization: `Bearer ${scene.key}` }, ...init })
    return { status: answer.status, body: (await answer.json()) as { error: { message: string } } }
  }

  test('is answered with the nearest one there is', async () => {
    const { status, body } = await errorAt('/v1/chat/completion', { method: 'POST', body: '{}' })
    expect(status).toBe(404)
    expect(body.error.message).toContain('POST /v1/chat/completions')
  })

  test('is compared by its words, however long its id is', async () => {
    const { body } = await errorAt(`/v1/responses/resp_${'7'.repeat(80)}/input_item`)
    expect(body.error.message).toContain('GET /v1/responses/{id}/input_items')
  })

  test.each([
    'gemini-4-argon',
    'gemini-2.5-flash-preview-native-audio-dialog-09-2025',
    'publishers/google/models/gemini-4',
  ])('of a method of %s is answered with the method it means', async (model) => {
    const init = { method: 'POST', body: '{}' }
    const { body } = await errorAt(`/v1beta/models/${model}:generateContnet`, init)
    expect(body.error.message).toContain('POST /v1beta/models/{model}:generateContent?')
    const stream = await errorAt(`/v1beta/models/${model}:streamGenerateContents`, init)
    expect(stream.body.error.message).toContain('POST /v1beta/models/{model}:streamGenerateContent?')
  })

  test.each([`/v1/${'x7'.repeat(88)}/y/${'z'.repeat(30)}`, `/v1/${'abc/'.repeat(44)}`])(
    'that is far from all there are is not compared to its end, and no other is named',
    async (path) => {
      const { status, body } = await errorAt(path)
      expect(status).toBe(404)
      expect(body.error.message).not.toContain('Did you mean')
    },
  )

  test.each(['/v1/foo', '/v1/quota', '/api/v1/users', '/v1/zzz/run'])(
    'that shares no word with any is answered without a guess: %s',
    async (path) => {
      const { status, body } = await errorAt(path, { method: 'POST', body: '{}' })
      expect(status).toBe(404)
      expect(body.error.message).not.toContain('Did you mean')
    },
  )

  test("of one of Google's versions is answered with one of Google's", async () => {
    for (const path of ['/v1alpha/modls', '/v1beta', '/v1alpha']) {
      const { status, body } = await errorAt(path)
      expect(status).toBe(404)
      expect(body.error.message).toContain('/v1beta/')
    }
  })

  test('that does something with a model wants the right method too', async () => {
    for (const action of ['generateContent', 'countTokens', 'embedContent']) {
      const { status, body } = await errorAt(`/v1beta/models/gpt-4o:${action}`)
      expect(status).toBe(405)
      expect(body.error.message).toContain('POST')
    }
  })

  test.each([
    ['/v1/chat', 'POST /v1/chat/completions'],
    ['/v1/audio', 'POST /v1/audio/'],
    ['/v1', 'POST /v1/chat/completions'],
    ['/openai/v1/chat/completions', 'POST /v1/chat/completions'],
    ['/api/v1/chat/completions', 'POST /v1/chat/completions'],
    ['/V1/embeddings', 'POST /v1/embeddings'],
    ['/api/v1/chat', 'POST /v1/chat/completions'],
    ['/proxy/openai/v1/embedding', 'POST /v1/embeddings'],
  ])('that stops short of one, or stands below something else, is answered so too: %s', async (path, meant) => {
    const { status, body } = await errorAt(path, { method: 'POST', body: '{}' })
    expect(status).toBe(404)
    expect(body.error.message).toContain(meant)
  })

  test('below something else is answered in the dialect of its client', async () => {
    const claude = { 'anthropic-version': '2023-06-01', 'x-api-key': scene.key }
    const google = { 'x-goog-api-key': scene.key }
    const post = (path: string, headers: Record<string, string>) =>
      errorAt(path, { method: 'POST', body: '{}', headers })
    expect((await post('/anthropic/v1/messages', claude)).body).toMatchObject({ type: 'error' })
    expect((await post('/google/v1beta/models/m:generateContent', google)).body).toMatchObject({
      error: { status: 'NOT_FOUND' },
    })
    expect((await errorAt('/api/v1/models')).body.error.message).toContain('GET /v1/models')
  })

  test('or with the right method', async () => {
    const { status, body } = await errorAt('/v1/chat/completions')
    expect(status).toBe(405)
    expect(body.error.message).toContain('POST')
  })

  test("comes in the dialect of its path or its client's headers, never as the console's page", async () => {
    expect((await errorAt('/v1beta/nothing')).body).toMatchObject({ error: { status: 'NOT_FOUND' } })
    const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': scene.key }
    expect((await errorAt('/v1/nothing', { headers })).body).toMatchObject({ type: 'error' })
    for (const path of ['/v1', '/v1/', '//v1', '/v1beta', '/v1alpha/', '//v1//nothing']) {
      expect((await errorAt(path)).status).toBe(404)
    }
  })
})

test.each(['/v1/models', '/v1beta/models', '/v1alpha/models'])(
  "Gemini's clients read their list at %s",
  async (path) => {
    await scene.channel(good)
    const answer = await fetch(scene.app.url + path, { headers: { 'x-goog-api-key': scene.key } })
    expect(await answer.json()).toMatchObject({ models: [{ name: 'models/gpt-4o' }] })
  },
)

describe('a compressed body', () => {
  const bytes = Buffer.from(JSON.stringify(ask))
  const send = (body: Uint8Array<ArrayBuffer>, encoding: string) =>
    fetch(`${scene.app.url}/v1/chat/completions`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${scene.key}`, 'content-encoding': encoding },
    })

  test.each([
    ['gzip', gzipSync(bytes)],
    ['br', brotliCompressSync(bytes)],
    ['zstd', zstdCompressSync(bytes)],
  ] as const)('in %s is read', async (encoding, body) => {
    const upstream = await scene.channel(good)
    const bill = await scene.bill(async () => expect((await send(new Uint8Array(body), encoding)).status).toBe(200))
    expectCharge(bill, 30)
    expect(upstream.seen[0]?.body.messages).toEqual(ask.messages)
  })

  test('counts by what comes out of it', async () => {
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(65 * 1024 * 1024, 32)))
    const bill = await scene.bill(async () => expect((await send(bomb, 'gzip')).status).toBe(413))
    expectUntouched(bill)
  })

  test('that is none, or in an unknown way, is refused', async () => {
    expect((await send(new Uint8Array(bytes), 'gzip')).status).toBe(400)
    expect((await send(new Uint8Array(bytes), 'lzma')).status).toBe(415)
  })
})
