import { afterAll, beforeAll, expect, test } from 'bun:test'
import { objectOf } from '#server/lib/json.ts'
import { doubleCharge, startVendorScene, type Vendor, type VendorScene } from '#server/testing/vendor-scene.ts'

let scene: VendorScene
beforeAll(async () => {
  scene = await startVendorScene()
})
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
async function sentTo(type: number, path: string, body: Record<string, unknown>, key = 'k') {
  const vendor = await scene.channel(answer, { type, key })
  const bill = await scene.bill(async () => {
    const response = await scene.post(path, { model: 'gpt-4o', ...body })
    expect(response.status, await response.text()).toBe(200)
  })
  expect(bill).toMatchObject({ user: -30, holds: 0 })
  await scene.clear()
  return vendor.seen.at(-1)?.body
}

test.each([
  ['Perplexity', 36],
  ['Cohere', 40],
])('%s is told the limit and who instructs by their older names', async (_, type) => {
  const messages = [
    { role: 'developer', content: 'be brief' },
    { role: 'user', content: 'hi' },
  ]
  const sent = await sentTo(type, '/v1/chat/completions', { messages, max_completion_tokens: 50 })
  expect(sent).toMatchObject({ max_tokens: 50, messages: [{ role: 'system', content: 'be brief' }, messages[1]] })
  expect(sent).not.toHaveProperty('max_completion_tokens')
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
])('$model of $kind, which knows no schemas, is told in words how its answer must look', async (vendor) => {
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
  await scene.clear()
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

test('DeepSeek is told not to think in the words it has for it', async () => {
  const calm = await sentTo(34, '/v1/messages', { messages: hi, max_tokens: 50, thinking: { type: 'disabled' } })
  expect(calm).toMatchObject({ thinking: { type: 'disabled' } })
  expect(calm).not.toHaveProperty('reasoning_effort')
  const own = { messages: hi, reasoning_effort: 'high', thinking: { type: 'enabled' } }
  expect(await sentTo(34, '/v1/chat/completions', own)).toEqual({ model: 'gpt-4o', ...own })
})

test.each([
  ['ollama', 30, 'llama4', 'think'],
  ['tencent', 23, 'hunyuan-turbo', 'EnableThinking'],
] as const)('%s thinks or does not as a budget says', async (kind, type, model, field) => {
  const double = await scene.vendor(kind, type, model)
  const thinking = async (thinkingBudget: number) => {
    const body = { contents: [{ parts: [{ text: 'hi' }] }], generationConfig: { thinkingConfig: { thinkingBudget } } }
    expect((await scene.post(`/v1beta/models/${model}:generateContent`, body)).status).toBe(200)
    return objectOf(double.requests.at(-1)?.body)?.[field]
  }
  expect(await thinking(0)).toBe(false)
  expect(await thinking(20_000)).toBe(kind === 'ollama' ? 'high' : true)
  expect(await thinking(-1)).toBeUndefined()
  await scene.clear()
})
