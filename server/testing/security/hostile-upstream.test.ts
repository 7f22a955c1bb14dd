import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene

beforeAll(async () => {
  scene = await startRelayScene()
})
beforeEach(() => scene.clear())
afterAll(() => scene.stop())

const script = '<script>alert(document.domain)</script>'
const models = { models: 'gpt-4o,tts-1,whisper-1,dall-e-2,rerank-1' }

const prices = () => scene.option('ModelRatio', '{"gpt-4o":1,"tts-1":1,"whisper-1":1,"dall-e-2":1,"rerank-1":1}')

const expectInert = (answer: Response) => {
  expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
}

describe('the type of an answer', () => {
  const doors: [string, unknown][] = [
    ['/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'x' }],
    ['/v1/images/generations', { model: 'dall-e-2', prompt: 'x' }],
    ['/v1/rerank', { model: 'rerank-1', query: 'x', documents: ['y'] }],
    ['/v1/embeddings', { model: 'gpt-4o', input: 'x' }],
    ['/v1/moderations', { model: 'gpt-4o', input: 'x' }],
    ['/v1/chat/completions', { model: 'gpt-4o', messages: [{ role: 'user', content: 'x' }] }],
  ]
  const types = [
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'image/svg+xml',
    'application/xhtml+xml',
    'text/xml',
    'text/javascript',
    'audio/x, text/html',
  ]

  test.each(doors)('of %s is never one a browser would run', async (path, body) => {
    await prices()
    for (const type of types) {
      await scene.channel(() => new Response(script, { headers: { 'content-type': type } }), models)
      const answer = await scene.post(path, body)
      expectInert(answer)
      expect(answer.headers.get('content-type')).toMatch(/^application\/(json|octet-stream)/)
      await scene.clear()
      await prices()
    }
  })

  test('of a JSON door is JSON, whatever the upstream calls it', async () => {
    await prices()
    const embedding = {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [1] }],
      usage: { prompt_tokens: 1, total_tokens: 1 },
    }
    for (const type of ['text/html', 'text/plain', 'image/svg+xml', 'text/event-stream', '']) {
      await scene.channel(() => new Response(JSON.stringify(embedding), { headers: { 'content-type': type } }), models)
      const answer = await scene.post('/v1/embeddings', { model: 'gpt-4o', input: 'x' })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toStartWith('application/json')
      expectInert(answer)
      await scene.clear()
      await prices()
    }
  })

  test.each(['audio/mpeg', 'audio/L16;rate=24000', 'text/plain; charset=utf-8', 'text/vtt', 'application/x-subrip'])(
    '%s of a recording passes',
    async (type) => {
      await prices()
      await scene.channel(() => new Response('bytes', { headers: { 'content-type': type } }), models)
      const answer = await scene.post('/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'x' })
      expect(answer.headers.get('content-type')).toStartWith(type.split(';')[0]?.toLowerCase() ?? '')
      expectInert(answer)
    },
  )

  test('is inert on refusals and lists too', async () => {
    expectInert(await scene.post('/v1/chat/completions', {}))
    expectInert(await fetch(`${scene.app.url}/v1/models`, { headers: { authorization: `Bearer ${scene.key}` } }))
    expectInert(await fetch(`${scene.app.url}/v1/nothing`))
    expectInert(await fetch(`${scene.app.url}/v1/models`, { method: 'OPTIONS' }))
  })
})

describe('an answer nested too deeply', () => {
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`

  test('is the fault of the upstream, whole or streamed', async () => {
    await scene.channel(() => new Response(`{"choices":${deep}}`, { headers: { 'content-type': 'application/json' } }))
    const whole = await scene.bill(async () => expect((await scene.chat()).status).toBe(502))
    expect(whole.user).toBe(0)
    const frame = `data: {"choices":${deep}}\n\n`
    await scene.clear()
    await scene.channel(() => new Response(frame, { headers: { 'content-type': 'text/event-stream' } }))
    const streamed = await scene.bill(async () => expect((await scene.chat({ stream: true })).status).toBe(502))
    expect(streamed.user).toBe(0)
  })

  test('as an error says nothing of its own', async () => {
    await scene.channel(() => new Response(`{"error":${deep}}`, { status: 400 }))
    expect((await scene.chat()).status).toBe(400)
  })
})

describe('an error of an upstream', () => {
  const key = 'upstream-secret-key-0123456789'
  const inner = '10.1.2.3:8080'

  test('shows neither keys nor addresses, in none of its fields, and is short', async () => {
    const poison = `${key} http://vault.internal:8200/x ${inner} sk-abcdefghijklmnop [fd00::1]:9 db.internal:5432 `
    const error = { message: poison.repeat(200), type: poison, code: poison.repeat(50), param: poison, status: poison }
    for (const status of [400, 404, 429, 500, 503]) {
      await scene.channel(() => Response.json({ error }, { status, headers: { 'retry-after': key } }), { key })
      for (const stream of [false, true]) {
        const answer = await scene.chat({ stream })
        const text = JSON.stringify([await answer.text(), ...answer.headers])
        expect(text.length).toBeLessThan(10_000)
        for (const secret of [key, 'vault.internal', '10.1.2.3', 'sk-abc', 'fd00', 'db.internal'])
          expect(text).not.toContain(secret)
      }
      await scene.clear()
    }
    const stored = JSON.stringify((await scene.books()).rows)
    for (const secret of [key, 'vault.internal', '10.1.2.3']) expect(stored).not.toContain(secret)
    for (const row of (await scene.books()).rows) expect(JSON.stringify(row).length).toBeLessThan(10_000)
  })

  test('does not show a key that the end of the message cuts', async () => {
    for (const before of [1970, 1980, 1990]) {
      const message = 'x'.repeat(before) + key
      await scene.channel(() => Response.json({ error: { message } }, { status: 400 }), { key })
      expect(await (await scene.chat()).text()).not.toContain(key.slice(0, 8))
      await scene.clear()
    }
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'with the word %s is read like any other',
    async (word) => {
      await scene.channel(() => Response.json({ error: { message: 'no', type: word, code: word } }, { status: 400 }))
      expect((await scene.chat()).status).toBe(400)
      await scene.clear()
      await scene.channel(() => Response.json({ error: { message: 'no', type: word, code: word } }))
      expect((await scene.chat()).status).toBe(500)
      await scene.clear()
      const choice = { index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: word }
      await scene.channel(() => Response.json({ choices: [choice], usage: { prompt_tokens: 1, completion_tokens: 1 } }))
      expect(
        (
          await scene.post('/v1/messages', {
            model: 'gpt-4o',
            max_tokens: 9,
            messages: [{ role: 'user', content: 'x' }],
          })
        ).status,
      ).toBe(200)
    },
  )
})
