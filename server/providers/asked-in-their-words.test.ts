import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { objectOf } from '#server/lib/json.ts'
import { doubleCharge, startVendorScene, type Vendor, type VendorScene } from '#server/testing/vendor-scene.ts'

let scene: VendorScene
beforeAll(async () => {
  scene = await startVendorScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const answer = () =>
  Response.json({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4o',
    choices: [{ index: 0, message: { role: 'assistant', content: '{}' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  })

/** What a channel of this type is sent; the request costs what its answer used. */
async function sentTo(type: number, path: string, body: Record<string, unknown>, more = {}) {
  await scene.clear()
  const vendor = await scene.channel(answer, { type, ...more })
  const bill = await scene.bill(async () => {
    const response = await scene.post(path, { model: 'gpt-4o', ...body })
    expect(response.status, await response.text()).toBe(200)
  })
  expect(bill).toMatchObject({ user: -30, holds: 0 })
  return vendor.seen.at(-1)?.body
}

test.each([
  ['Perplexity', 36, 'system'],
  // Cohere knows the newer name of who instructs, and not that of the limit.
  ['Cohere', 40, 'developer'],
])('%s is sent the limit and who instructs under the names it knows', async (_, type, role) => {
  const messages = [
    { role: 'developer', content: 'be brief' },
    { role: 'user', content: 'hi' },
  ]
  const sent = await sentTo(type, '/v1/chat/completions', { messages, max_completion_tokens: 50 })
  expect(sent).toMatchObject({ max_tokens: 50, messages: [{ role, content: 'be brief' }, messages[1]] })
  expect(sent).not.toHaveProperty('max_completion_tokens')
})

test.each([
  ['none', 'none'],
  ['low', 'high'],
  ['max', 'high'],
])('Cohere thinks or does not: the effort %s', async (effort, asked) => {
  const sent = await sentTo(40, '/v1/responses', { input: 'hi', reasoning: { effort } })
  expect(sent?.reasoning_effort).toBe(asked)
})

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const place = { type: 'json_schema', json_schema: { name: 'place', schema } }
const hi = [{ role: 'user', content: 'hi' }]
const inWords = `Answer with JSON that fits this schema and with nothing else: ${JSON.stringify(schema)}`

test.each<Vendor>([
  { kind: 'baidu', type: 15, model: 'ERNIE-4.0-8K' },
  { kind: 'zhipu', type: 16, model: 'glm-5' },
  { kind: 'zhipu', type: 16, model: 'chatglm_turbo' },
  { kind: 'spark', type: 18, model: 'SparkDesk-v3.5', other: 'v3.5' },
  { kind: 'spark', type: 18, model: 'SparkDesk-v1.1', other: 'v1.1' },
  { kind: 'tencent', type: 23, model: 'hunyuan-turbo' },
])('$model of $kind, which knows no schemas, is asked in words for the form of its answer', async (vendor) => {
  const { kind, type, model, other = '' } = vendor
  const double = await scene.vendor(kind, type, model, { other })
  const system = { role: 'system', content: 'be brief' }
  for (const messages of [hi, [system, ...hi]]) {
    const bill = await scene.bill(async () => {
      const response = await scene.post('/v1/chat/completions', { model, messages, response_format: place })
      expect(response.status, await response.text()).toBe(200)
    })
    expect(bill).toMatchObject({ user: -doubleCharge, holds: 0 })
    const sent = double.requests.at(-1)?.text ?? ''
    expect(sent).toContain(JSON.stringify(inWords).slice(1, -1))
    expect(sent).toContain('hi')
    if (messages.length > 1) expect(sent).toContain('be brief')
    expect(sent).not.toContain('json_schema')
    if (kind === 'tencent') expect(sent.match(/"Role":"system"/g)).toHaveLength(1)
  }
})

test.each([
  ['/v1/chat/completions', { messages: hi, response_format: place }],
  ['/v1/messages', { messages: hi, max_tokens: 50, output_config: { format: { type: 'json_schema', schema } } }],
])('DeepSeek is asked for JSON, and for a schema in words, from %s', async (path, asked) => {
  const sent = await sentTo(34, path, asked)
  expect(sent).toMatchObject({
    response_format: { type: 'json_object' },
    messages: [{ role: 'system', content: inWords }, { role: 'user' }],
  })
  const plain = { messages: hi, response_format: { type: 'json_object' } }
  expect(await sentTo(34, '/v1/chat/completions', plain)).toMatchObject(plain)
})

test('DeepSeek is asked not to think in the words it has for it', async () => {
  const calm = await sentTo(34, '/v1/messages', { messages: hi, max_tokens: 50, thinking: { type: 'disabled' } })
  expect(calm).toMatchObject({ thinking: { type: 'disabled' } })
  expect(calm).not.toHaveProperty('reasoning_effort')
  const own = { messages: hi, reasoning_effort: 'high', thinking: { type: 'enabled' } }
  expect(await sentTo(34, '/v1/chat/completions', own)).toEqual({ model: 'gpt-4o', ...own })
})

test.each([
  ['ollama', 30, 'llama4', 'think', undefined],
  ['ollama', 30, 'gpt-oss:20b', 'think', 'high'],
  ['tencent', 23, 'hunyuan-turbo', 'EnableThinking', true],
] as const)('%s (%d, %s) thinks or does not as a budget says', async (kind, type, model, field, asked) => {
  const double = await scene.vendor(kind, type, model)
  const thinking = async (thinkingBudget: number) => {
    const body = { contents: [{ parts: [{ text: 'hi' }] }], generationConfig: { thinkingConfig: { thinkingBudget } } }
    expect((await scene.post(`/v1beta/models/${model}:generateContent`, body)).status).toBe(200)
    return objectOf(double.requests.at(-1)?.body)?.[field]
  }
  expect(await thinking(0)).toBe(false)
  expect(await thinking(20_000)).toBe(asked)
  expect(await thinking(-1)).toBeUndefined()
})

describe('what a model of Groq or xAI refuses is left out of what comes from another format', () => {
  const efforts: [number, string, string, string | undefined][] = [
    [29, 'llama-3.3-70b-versatile', 'high', undefined],
    [29, 'openai/gpt-oss-120b', 'max', 'high'],
    [29, 'openai/gpt-oss-120b', 'minimal', 'low'],
    [29, 'qwen/qwen3-32b', 'none', 'none'],
    [29, 'qwen/qwen3-32b', 'high', undefined],
    [35, 'grok-4-1-fast', 'high', undefined],
    [35, 'grok-4.20-0309-reasoning', 'low', undefined],
    [35, 'grok-3-mini', 'medium', 'high'],
    [35, 'grok-3-mini', 'none', 'low'],
    [35, 'grok-4.3', 'none', 'none'],
    [35, 'grok-4.7', 'xhigh', 'high'],
  ]
  test.each(efforts)('type %d, %s: the effort %s', async (type, model, effort, sent) => {
    const body = { input: 'hi', reasoning: { effort }, text: { verbosity: 'low' } }
    const seen = await sentTo(type, '/v1/responses', body, { models: 'gpt-4o', model_mapping: `{"gpt-4o":"${model}"}` })
    expect(seen).toMatchObject({ model })
    expect(seen?.reasoning_effort).toBe(sent)
    expect(seen?.verbosity).toBe(type === 29 ? undefined : 'low')
  })

  test.each([
    ['grok-4-1-fast', undefined],
    ['grok-code-fast-1', undefined],
    ['grok-4-1-fast-non-reasoning', ['END']],
    ['grok-3', ['END']],
  ])('%s stops at %p', async (model, stop) => {
    const body = { messages: hi, max_tokens: 50, stop_sequences: ['END'] }
    const seen = await sentTo(35, '/v1/messages', body, { models: 'gpt-4o', model_mapping: `{"gpt-4o":"${model}"}` })
    expect(seen?.stop).toEqual(stop)
  })

  test('a client of the format itself says what it likes', async () => {
    const own = { messages: hi, reasoning_effort: 'high', stop: ['END'], verbosity: 'low' }
    for (const type of [29, 35]) expect(await sentTo(type, '/v1/chat/completions', own)).toMatchObject(own)
  })
})

test.each([
  ['dashscope', 17, 'qwen-plus'],
  ['zhipu', 16, 'glm-5'],
] as const)('a client that says null of thinking and tools asks %s for neither', async (kind, type, model) => {
  const double = await scene.vendor(kind, type, model)
  const body = { model, messages: hi, reasoning_effort: null, tools: null, tool_choice: null }
  expect((await scene.post('/v1/chat/completions', body)).status).toBe(200)
  const sent = double.requests.at(-1)?.body
  expect(sent).toMatchObject({ model })
  for (const field of ['thinking', 'enable_thinking']) expect(sent).not.toHaveProperty(field)
  expect(sent?.tool_choice ?? null).toBeNull()
})

test('Mistral is sent no field of a message or request that it refuses', async () => {
  const [question, call] = [
    { role: 'user', content: 'hi' },
    { id: 'call12345', type: 'function', function: { name: 'f', arguments: '{}' } },
  ]
  const sent = await sentTo(28, '/v1/chat/completions', {
    safety_identifier: 'u1',
    prompt_cache_retention: '24h',
    messages: [
      { role: 'system', name: 'rules', content: 'be brief' },
      { ...question, name: 'bob' },
      {
        role: 'assistant',
        name: 'eve',
        content: null,
        refusal: 'no',
        annotations: [],
        audio: null,
        function_call: null,
      },
      { ...question, metadata: { trimmed: true } },
      { role: 'assistant', content: null, refusal: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call12345', name: 'f', content: '1' },
    ],
  })
  expect(sent).toEqual({
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'be brief' },
      question,
      { role: 'assistant', content: 'no' },
      question,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call12345', name: 'f', content: '1' },
    ],
  })
})

const film = 'https://www.youtube.com/watch?v=abc'
test.each([
  [
    '/v1/chat/completions',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: film } }] }] },
  ],
  ['/v1/responses', { input: [{ role: 'user', content: [{ type: 'input_file', file_url: film }] }] }],
])('Gemini watches a film at its address, asked in %s', async (path, body) => {
  const content = { role: 'model', parts: [{ text: 'cats' }] }
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
  const watch = () => Response.json({ candidates: [{ content, finishReason: 'STOP' }], usageMetadata })
  const vendor = await scene.channel(watch, { type: 24 })
  const bill = await scene.bill(async () => {
    const response = await scene.post(path, { model: 'gpt-4o', max_tokens: 10, ...body })
    expect(response.status, await response.text()).toBe(200)
  })
  expect(vendor.seen.at(-1)?.body.contents).toEqual([{ role: 'user', parts: [{ fileData: { fileUri: film } }] }])
  expect(bill).toMatchObject({ user: -30, holds: 0 })
})

test('a conversation reaches Baidu in turns that alternate and begin with the user', async () => {
  const double = await scene.vendor('baidu', 15, 'ERNIE-4.0-8K')
  const say = (role: string, content: string | null) => ({ role, content })
  const messages = [
    say('assistant', ''),
    say('assistant', 'Welcome!'),
    say('user', 'a'),
    say('assistant', null),
    say('user', 'b'),
    say('assistant', 'c'),
    say('user', 'd'),
  ]
  expect((await scene.post('/v1/chat/completions', { model: 'ERNIE-4.0-8K', messages })).status).toBe(200)
  const turns = [
    say('user', '.'),
    say('assistant', 'Welcome!'),
    say('user', 'a\nb'),
    say('assistant', 'c'),
    say('user', 'd'),
  ]
  expect(objectOf(double.requests.at(-1)?.body)?.messages).toEqual(turns)
})
