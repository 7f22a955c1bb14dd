import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createVerify, generateKeyPairSync } from 'node:crypto'
import { awsEvent } from '#server/testing/aws-event.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'
import { providerOf } from './index.ts'
import { targetOf, toolsOf } from './testing.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const account = JSON.stringify(
  { client_email: 'relay@p1.iam.gserviceaccount.com', private_key: privateKey, project_id: 'p1' },
  null,
  2,
)

interface Seen {
  readonly path: string
  readonly headers: Headers
  readonly body: string
}

const chat = { choices: [{ message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }] }
const openaiUsage = { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } }
const converseEvents = [
  ['messageStart', { role: 'assistant' }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'hel' } }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'lo' } }],
  ['contentBlockStop', { contentBlockIndex: 0 }],
  ['messageStop', { stopReason: 'end_turn' }],
  ['metadata', { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } }],
] as const

let scene: RelayScene
let seen: Seen[] = []
const vendor = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname } = new URL(request.url)
    const body = await request.text()
    seen.push({ path: pathname, headers: request.headers, body })
    if (pathname === '/token') return Response.json({ access_token: 'ya29.fresh', expires_in: 3600 })
    if (pathname.endsWith('/converse-stream')) {
      const bytes = Buffer.concat(converseEvents.map(([type, payload]) => awsEvent(type, payload)))
      // Cut at every byte.
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
          controller.close()
        },
      })
      return new Response(stream, { headers: { 'content-type': 'application/vnd.amazon.eventstream' } })
    }
    if (pathname.endsWith('/converse'))
      return Response.json({
        output: { message: { role: 'assistant', content: [{ text: 'hello' }] } },
        stopReason: 'end_turn',
        usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
      })
    if (pathname.includes('/invoke') || pathname.endsWith(':rawPredict'))
      return Response.json({
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [{ type: 'text', text: 'hello' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 10, output_tokens: 5 },
      })
    if (pathname.includes(':generateContent'))
      return Response.json({
        candidates: [{ content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      })
    return Response.json({ id: 'c1', object: 'chat.completion', created: 1, model: 'm', ...chat, ...openaiUsage })
  },
})
beforeAll(async () => {
  scene = await startRelayScene()
})
afterAll(async () => {
  await scene.stop()
  await vendor.stop(true)
})

const channelOf = async (type: number, key: string, model: string, other = '') => {
  seen = []
  await scene.root.call(api.channels.create, {
    name: `type ${type}`,
    type,
    key,
    models: model,
    other,
    base_url: `http://127.0.0.1:${vendor.port}`,
  })
}

const ask = (model: string, more: Record<string, unknown> = {}) =>
  scene.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'hi' }], ...more })

describe("vendors in OpenAI's shape keep their own paths", () => {
  test.each([
    [34, '/v1/chat/completions', ''],
    [35, '/v1/chat/completions', ''],
    [36, '/chat/completions', ''],
    [37, '/v1/chat/completions', ''],
    [38, '/v1/chat/completions', ''],
    [39, '/api/v3/chat/completions', ''],
    [40, '/compatibility/v1/chat/completions', ''],
    [41, '/client/v4/accounts/acc-1/ai/v1/chat/completions', 'acc-1'],
    [42, '/v1/chat/completions', ''],
  ])('type %i asks %s', async (type, path, other) => {
    const model = `model-of-${type}`
    await scene.option('ModelRatio', JSON.stringify({ 'gpt-4o': 1, [model]: 1 }))
    await channelOf(type, 'sk-vendor', model, other)
    const response = await ask(model)
    expect([response.status, ((await response.json()) as typeof chat).choices[0]?.message.content]).toEqual([
      200,
      'hello',
    ])
    expect(seen[0]?.path).toBe(path)
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer sk-vendor')
  })
})

test('DeepSeek is sent instructions in the role it knows', async () => {
  await scene.option('ModelRatio', JSON.stringify({ instructed: 1 }))
  await channelOf(34, 'sk-vendor', 'instructed')
  const said = (role: string) => [
    { role, content: 'be brief' },
    { role: 'user', content: 'hi' },
  ]
  expect((await ask('instructed', { messages: said('developer'), max_completion_tokens: 5 })).status).toBe(200)
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ model: 'instructed', messages: said('system'), max_tokens: 5 })
})

describe('Vertex AI', () => {
  test('a service account over several lines is one key; its token is fetched once for parallel requests', async () => {
    await channelOf(33, account, 'gemini-2.5-flash', 'europe-west1')
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask('gemini-2.5-flash')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const exchanges = seen.filter(({ path }) => path === '/token')
    expect(exchanges).toHaveLength(1)
    const assertion = new URLSearchParams(exchanges[0]?.body).get('assertion') ?? ''
    const [head = '', claims = '', signature = ''] = assertion.split('.')
    const isSigned = createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url')
    expect(isSigned).toBe(true)
    const asked = seen.find(({ path }) => path !== '/token')
    expect(asked?.path).toBe(
      '/v1/projects/p1/locations/europe-west1/publishers/google/models/gemini-2.5-flash:generateContent',
    )
    expect(asked?.headers.get('authorization')).toBe('Bearer ya29.fresh')
  })

  test('a key that is no service account is refused by name, and nobody is asked', async () => {
    await scene.option('ModelRatio', JSON.stringify({ 'gpt-4o': 1, 'gemini-x': 1 }))
    await channelOf(33, 'not-json', 'gemini-x')
    expect((await ask('gemini-x')).status).toBeGreaterThanOrEqual(500)
    expect(seen).toEqual([])
  })

  test.each(['evil.example/', 'evil.example#', 'evil.example?', 'x@evil.example:443/', 'evil.example\\'])(
    'the region %p does not lead its token away from Google',
    async (other) => {
      const target = targetOf(33, { key: account, other, baseUrl: 'https://aiplatform.googleapis.com' })
      const call = await providerOf(33).call(target, '{}', toolsOf({ access_token: 'ya29', expires_in: 3600 }))
      const host = URL.canParse(call.url) ? new URL(call.url).hostname : ''
      expect(host === '' || host.endsWith('-aiplatform.googleapis.com')).toBeTrue()
    },
  )
})

describe('Bedrock', () => {
  const key = 'AKIDEXAMPLE|secret|eu-west-1'

  test('everything but Claude from the messages door goes by converse, signed for its region', async () => {
    await channelOf(32, key, 'amazon.nova-lite-v1:0')
    const response = await ask('amazon.nova-lite-v1:0')
    expect(((await response.json()) as typeof chat).choices[0]?.message.content).toBe('hello')
    expect(seen[0]?.path).toBe('/model/amazon.nova-lite-v1%3A0/converse')
    expect(seen[0]?.headers.get('authorization')).toContain('/eu-west-1/bedrock/aws4_request')
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ messages: [{ role: 'user', content: [{ text: 'hi' }] }] })
  })

  test('a stream of binary events cut at every byte arrives whole', async () => {
    const text = await (await ask('amazon.nova-lite-v1:0', { stream: true })).text()
    expect(text.match(/"content":"(hel|lo)"/g)).toHaveLength(2)
    expect(text.trimEnd()).toEndWith('data: [DONE]')
  })

  test("Claude from the messages door goes by invoke with Anthropic's body", async () => {
    await channelOf(32, key, 'us.anthropic.claude-opus-4-6-v1')
    const response = await scene.post('/v1/messages', {
      model: 'us.anthropic.claude-opus-4-6-v1',
      max_tokens: 20,
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(((await response.json()) as { content: { text: string }[] }).content[0]?.text).toBe('hello')
    expect(seen[0]?.path).toBe('/model/us.anthropic.claude-opus-4-6-v1/invoke')
    const body = JSON.parse(seen[0]?.body ?? '')
    expect(body).toMatchObject({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 20 })
    expect(body).not.toContainKey('model')
  })
})
