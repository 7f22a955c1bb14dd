import { describe, expect, test } from 'bun:test'
import type { Json } from '#server/dialects/dialect.ts'
import { base64Floats } from './float-vectors.ts'
import { providerOf } from './index.ts'
import { type Operation, type Target, UpstreamFault } from './provider.ts'
import { targetOf, toolsOf } from './testing.ts'

function codecOf(type: number, operation: Operation) {
  const codec = providerOf(type).codecs?.[operation]
  if (!codec) throw new Error(`type ${type} has no codec for ${operation}`)
  return codec
}

const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const vectors = [
  [1, -0.5],
  [0, 2],
]
const question: Json = { model: 'm', input: ['a', 'b'], encoding_format: 'base64' }

interface Row {
  readonly name: string
  readonly type: number
  readonly asks?: Partial<Target>
  readonly sent: Json
  readonly answer: Json
  readonly tokens: number | undefined
}

const rows: readonly Row[] = [
  {
    name: 'Baidu v1',
    type: 15,
    asks: { key: 'a|b' },
    sent: { input: ['a', 'b'] },
    answer: { data: vectors.map((embedding, index) => ({ embedding, index })), usage: { total_tokens: 4 } },
    tokens: 4,
  },
  {
    name: 'Baidu v2',
    type: 15,
    sent: { model: 'm', input: ['a', 'b'] },
    answer: {
      object: 'list',
      model: 'm',
      data: vectors.map((embedding, index) => ({ object: 'embedding', embedding, index })),
      usage: { prompt_tokens: 4, total_tokens: 4 },
    },
    tokens: 4,
  },
  {
    name: 'DashScope, answers out of order',
    type: 17,
    sent: { model: 'm', input: { texts: ['a', 'b'] }, parameters: {} },
    answer: {
      output: {
        embeddings: [
          { text_index: 1, embedding: [0, 2] },
          { text_index: 0, embedding: [1, -0.5] },
        ],
      },
      usage: { total_tokens: 4 },
    },
    tokens: 4,
  },
  {
    name: 'Tencent',
    type: 23,
    asks: { key: '1|a|b' },
    sent: { InputList: ['a', 'b'] },
    answer: { Response: { Data: vectors.map((Embedding) => ({ Embedding })), Usage: { TotalTokens: 4 } } },
    tokens: 4,
  },
  {
    name: 'Gemini',
    type: 24,
    sent: {
      requests: ['a', 'b'].map((text) => ({ model: 'models/m', content: { parts: [{ text }] } })),
    },
    answer: { embeddings: vectors.map((values) => ({ values })) },
    tokens: undefined,
  },
  {
    name: 'MiniMax',
    type: 27,
    sent: { model: 'm', texts: ['a', 'b'], type: 'db' },
    answer: { vectors, total_tokens: 4, base_resp: { status_code: 0 } },
    tokens: 4,
  },
  {
    name: 'Ollama',
    type: 30,
    sent: { model: 'm', input: ['a', 'b'] },
    answer: { embeddings: vectors, prompt_eval_count: 4 },
    tokens: 4,
  },
  {
    name: 'Zhipu v4',
    type: 16,
    sent: { model: 'm', input: ['a', 'b'] },
    answer: {
      object: 'list',
      model: 'm',
      data: vectors.map((embedding, index) => ({ object: 'embedding', embedding, index })),
      usage: { prompt_tokens: 4, total_tokens: 4 },
    },
    tokens: 4,
  },
]

describe('embeddings', () => {
  test('base64 is little-endian float32', () => {
    expect(base64Floats([1, -0.5])).toBe(Buffer.from(new Float32Array([1, -0.5]).buffer).toString('base64'))
  })

  test.each(rows.map((row) => [row.name, row] as const))('%s', (_, row) => {
    const target = targetOf(row.type, { operation: 'embeddings', ...row.asks })
    const codec = codecOf(row.type, 'embeddings')
    const usage = row.tokens === undefined ? {} : { usage: { prompt_tokens: row.tokens, total_tokens: row.tokens } }
    const answer = (encode: (vector: number[]) => unknown) => ({
      object: 'list',
      data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: encode(vector) })),
      model: 'm',
      ...usage,
    })
    expect(wire(codec.encode(question, target))).toEqual(row.sent)
    expect(wire(codec.decode(row.answer, target, question))).toEqual(answer(base64Floats))
    expect(wire(codec.decode(row.answer, target, { input: 'a' }))).toEqual(answer((vector) => vector))
  })

  test('tokens are refused where only text is taken', () => {
    expect(() => codecOf(30, 'embeddings').encode({ input: [[1, 2]] }, targetOf(30))).toThrow('does not take tokens')
  })

  test('OpenAI answers untouched in the encoding it chose', () => {
    const codec = codecOf(1, 'embeddings')
    const answer = { data: [{ embedding: 'AACAPw==' }] }
    expect(codec.encode(question, targetOf(1))).toEqual(question)
    expect(codec.decode(answer, targetOf(1), question)).toEqual(answer)
  })

  test.each<[number, Json, Partial<Target>, number]>([
    [15, { error_code: 18, error_msg: 'x' }, { key: 'a|b' }, 429],
    [17, { code: 'InvalidApiKey', message: 'x' }, {}, 401],
    [23, { Response: { Error: { Code: 'AuthFailure', Message: 'x' } } }, { key: '1|a|b' }, 401],
    [27, { base_resp: { status_code: 1002 } }, {}, 429],
  ])('an error of type %i in a success is an error: %j', (type, body, asks, status) => {
    const decode = () => codecOf(type, 'embeddings').decode(body, targetOf(type, asks), question)
    expect(decode).toThrow(UpstreamFault)
    try {
      decode()
    } catch (error) {
      expect(error).toMatchObject({ fault: { status } })
    }
  })
})

describe('pictures and ranking', () => {
  test('DashScope gives a ticket, which is asked after until the picture is there', async () => {
    const codec = codecOf(17, 'images')
    const target = targetOf(17, { operation: 'images', model: 'wanx-v1' })
    const tools = toolsOf(
      { output: { task_id: 't/1', task_status: 'PENDING' } },
      { output: { task_id: 't/1', task_status: 'SUCCEEDED', results: [{ url: 'u' }] }, usage: { image_count: 1 } },
    )
    expect(wire(codec.encode({ prompt: 'a cat', size: '1024x1024', n: 1 }, target))).toEqual({
      model: 'wanx-v1',
      input: { prompt: 'a cat' },
      parameters: { size: '1024*1024', n: 1 },
    })
    const whole = await codec.collect?.({ output: { task_id: 't/1', task_status: 'PENDING' } }, target, tools)
    expect(codec.decode(whole, target, {})).toMatchObject({ data: [{ url: 'u' }] })
    expect(tools.seen.map((each) => each.url)).toEqual(Array(2).fill('https://base.example/api/v1/tasks/t%2F1'))
  })

  test('a picture that failed is an error', async () => {
    const codec = codecOf(17, 'images')
    const target = targetOf(17, { operation: 'images' })
    const failed = { output: { task_id: 't', task_status: 'FAILED', code: 'DataInspectionFailed', message: 'no' } }
    const whole = await codec.collect?.({ output: { task_id: 't' } }, target, toolsOf(failed))
    expect(() => codec.decode(whole, target, {})).toThrow('no')
  })

  test('DashScope pictures that come at once', () => {
    const target = targetOf(17, { operation: 'images', model: 'qwen-image-2.0' })
    const answer = { output: { choices: [{ message: { content: [{ image: 'u' }] } }] } }
    expect(wire(codecOf(17, 'images').encode({ prompt: 'a cat' }, target))).toMatchObject({
      input: { messages: [{ role: 'user', content: [{ text: 'a cat' }] }] },
    })
    expect(codecOf(17, 'images').decode(answer, target, {})).toMatchObject({ data: [{ url: 'u' }] })
  })

  test('Gemini and Imagen answer with bytes', () => {
    const codec = codecOf(24, 'images')
    const imagen = targetOf(24, { operation: 'images', model: 'imagen-4' })
    expect(wire(codec.encode({ prompt: 'p', n: 2, size: '1792x1024' }, imagen))).toEqual({
      instances: [{ prompt: 'p' }],
      parameters: { sampleCount: 2, aspectRatio: '16:9' },
    })
    expect(codec.decode({ predictions: [{ bytesBase64Encoded: 'QQ==' }] }, imagen, {})).toMatchObject({
      data: [{ b64_json: 'QQ==' }],
    })
    const drawn = { candidates: [{ content: { parts: [{ text: 'x' }, { inlineData: { data: 'QQ==' } }] } }] }
    expect(codec.decode(drawn, targetOf(24), {})).toMatchObject({ data: [{ b64_json: 'QQ==' }] })
  })

  test('DashScope ranks', () => {
    const codec = codecOf(17, 'rerank')
    const target = targetOf(17, { operation: 'rerank' })
    expect(wire(codec.encode({ query: 'q', documents: ['a'], top_n: 1 }, target))).toEqual({
      model: 'm',
      input: { query: 'q', documents: ['a'] },
      parameters: { top_n: 1 },
    })
    const results = [{ index: 0, relevance_score: 0.9 }]
    const answer = { request_id: 'r', output: { results }, usage: { total_tokens: 7 } }
    expect(codec.decode(answer, target, {})).toEqual({ id: 'r', model: 'm', results, usage: { total_tokens: 7 } })
  })
})

test('pictures of a Gemini that thinks cost its thoughts too', () => {
  const parts = [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }]
  const usageMetadata = {
    promptTokenCount: 10,
    candidatesTokenCount: 1120,
    thoughtsTokenCount: 900,
    totalTokenCount: 2030,
  }
  const target = targetOf(24, { operation: 'images', model: 'gemini-3-pro-image' })
  const body = { candidates: [{ content: { parts } }], usageMetadata }
  expect(providerOf(24).codecs?.images?.decode(body, target, {})).toMatchObject({
    usage: { input_tokens: 10, output_tokens: 2020, total_tokens: 2030 },
  })
})
