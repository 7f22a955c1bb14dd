import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type OpenAI, toFile } from 'openai'
import { doubleUsage, doubleVector } from '#server/testing/doubles/script.ts'
import type { DoubleKind } from '#server/testing/doubles/start-double.ts'
import { expectCharge } from '#server/testing/expect-charge.ts'
import type { Behaviour } from '#server/testing/fake-upstream.ts'
import { sdkClients } from '#server/testing/sdk-clients.ts'
import { startVendorScene, type VendorScene } from '#server/testing/vendor-scene.ts'

const embedders: [kind: DoubleKind, type: number, reports: boolean][] = [
  ['openai', 1, true],
  ['azure', 3, true],
  ['baidu', 15, true],
  ['zhipu', 16, true],
  ['dashscope', 17, true],
  ['tencent', 23, true],
  ['gemini', 24, false],
  ['minimax', 27, true],
  ['ollama', 30, true],
]

let scene: VendorScene
let openai: OpenAI
beforeAll(async () => {
  scene = await startVendorScene()
  for (const [kind, type] of embedders) await scene.vendor(kind, type, `${kind}-vectors`)
  openai = sdkClients(scene.app.url, scene.key).openai
})
afterAll(() => scene.stop())

const models = 'gpt-4o,dall-e-2,tts-1,whisper-1,omni-moderation-latest,gpt-4o-transcribe'
const sound = new Uint8Array([1, 2, 3, 250])
const transcript = { text: 'hello there', duration: 10, language: 'english', segments: [] }
const answers: Record<string, Behaviour> = {
  '/v1/images/generations': ({ body }) =>
    Response.json({ created: 1, data: Array.from({ length: Number(body.n ?? 1) }, () => ({ b64_json: 'AAAA' })) }),
  '/v1/images/edits': () => Response.json({ created: 1, data: [{ b64_json: 'AAAA' }] }),
  '/v1/audio/speech': () => new Response(sound, { headers: { 'content-type': 'audio/mpeg' } }),
  '/v1/audio/transcriptions': ({ body }) =>
    body.response_format === 'verbose_json' ? Response.json(transcript) : Response.json({ text: transcript.text }),
  '/v1/audio/translations': () => Response.json(transcript),
  '/v1/moderations': () => Response.json({ id: 'modr-1', model: 'omni', results: [{ flagged: true }] }),
  '/v1/completions': () =>
    Response.json({
      id: 'cmpl-1',
      choices: [{ index: 0, text: 'there', finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    }),
}

const quotaPerDollar = 500_000

describe('through a channel of type 1 the openai client', () => {
  beforeAll(() =>
    scene.channel((request) => answers[request.path]?.(request) ?? new Response('', { status: 404 }), { models }),
  )

  test('draws pictures, at the price of each', async () => {
    const bill = await scene.bill(async () => {
      const got = await openai.images.generate({ model: 'dall-e-2', prompt: 'a cat', n: 2, size: '1024x1024' })
      expect(got.data?.map((picture) => picture.b64_json)).toEqual(['AAAA', 'AAAA'])
    })
    expectCharge(bill, 2 * 0.02 * quotaPerDollar)
  })

  test('has a picture changed', async () => {
    const image = await toFile(new Uint8Array([137, 80, 78, 71]), 'a.png', { type: 'image/png' })
    const bill = await scene.bill(async () => {
      const got = await openai.images.edit({ model: 'dall-e-2', image, prompt: 'a dog', size: '1024x1024' })
      expect(got.data?.[0]?.b64_json).toBe('AAAA')
    })
    expectCharge(bill, 0.02 * quotaPerDollar)
  })

  test('has words spoken, at the price of the characters', async () => {
    const bill = await scene.bill(async () => {
      const got = await openai.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'hello' })
      expect(new Uint8Array(await got.arrayBuffer())).toEqual(sound)
    })
    expectCharge(bill, Math.ceil((5 * 15 * quotaPerDollar) / 1e6))
  })

  test('has a recording written down, at the price of the seconds', async () => {
    const file = await toFile(new Uint8Array(40_000), 'a.mp3', { type: 'audio/mpeg' })
    const bill = await scene.bill(async () => {
      const got = await openai.audio.transcriptions.create({
        model: 'whisper-1',
        file,
        response_format: 'verbose_json',
      })
      expect(got.text).toBe('hello there')
    })
    expectCharge(bill, (10 * 0.006 * quotaPerDollar) / 60)
  })

  test('has a recording translated', async () => {
    const file = await toFile(new Uint8Array(40_000), 'a.mp3', { type: 'audio/mpeg' })
    const bill = await scene.bill(async () => {
      expect((await openai.audio.translations.create({ model: 'whisper-1', file })).text).toBe('hello there')
    })
    expectCharge(bill, (10 * 0.006 * quotaPerDollar) / 60)
  })

  test('has words judged, for nothing', async () => {
    const bill = await scene.bill(async () => {
      const got = await openai.moderations.create({ input: 'bad words' })
      expect(got.results[0]?.flagged).toBe(true)
    })
    expect(bill).toMatchObject({ user: 0, token: 0, holds: 0 })
  })

  test('has a text completed', async () => {
    const bill = await scene.bill(async () => {
      const got = await openai.completions.create({ model: 'gpt-4o', prompt: 'hello' })
      expect(got.choices[0]?.text).toBe('there')
    })
    expectCharge(bill, 30)
  })
})

describe.each(embedders)('through %s (type %d) the openai client gets vectors', (kind, _, reports) => {
  const model = `${kind}-vectors`

  test.each([undefined, 'float', 'base64'] as const)('in the encoding %s', async (encoding_format) => {
    const bill = await scene.bill(async () => {
      const format = encoding_format ? { encoding_format } : {}
      const got = await openai.embeddings.create({ model, input: ['hello', 'there'], ...format })
      const vectors = got.data.map(({ embedding }) => embedding as number[] | string)
      const written = Buffer.from(new Float32Array(doubleVector).buffer).toString('base64')
      expect(vectors).toEqual(encoding_format === 'base64' ? [written, written] : [doubleVector, doubleVector])
    })
    expectCharge(bill, reports ? doubleUsage.input : 2)
  })
})

describe('answers in a form', () => {
  const schema = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  }
  const text = '{"city":"Rome"}'
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  const vendors: [type: number, answer: object][] = [
    [1, { choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }], usage }],
    [
      14,
      {
        id: 'm',
        content: [{ type: 'text', text }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 10, output_tokens: 5 },
      },
    ],
    [
      24,
      {
        candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5 },
      },
    ],
  ]
  const forms: [name: string, form: OpenAI.Chat.ChatCompletionCreateParams['response_format']][] = [
    ['json_object', { type: 'json_object' }],
    ['json_schema', { type: 'json_schema', json_schema: { name: 'place', strict: true, schema } }],
  ]

  describe.each(vendors)('through type %d', (type, answer) => {
    test.each(forms)('%s', async (name, response_format) => {
      const model = `form-${type}-${name}`
      await scene.price(model)
      const upstream = await scene.channel(() => Response.json(answer), { type, models: model, name: model })
      const messages = [{ role: 'user' as const, content: 'a city as JSON' }]
      const bill = await scene.bill(async () => {
        const got = await openai.chat.completions.create({ model, messages, response_format })
        expect(JSON.parse(got.choices[0]?.message.content ?? '')).toEqual({ city: 'Rome' })
      })
      expectCharge(bill, 30)
      if (name === 'json_schema') expect(upstream.seen[0]?.raw).toContain(JSON.stringify(schema.properties))
    })
  })
})
