import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventStream } from '#server/testing/fake-upstream.ts'
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

const theirs = 'upstream-model'
/** What a tool is called with: the name stands in it as a field of the caller's own. */
const input = { model: theirs, message: { model: theirs }, text: `"model":"${theirs}"` }
const messages = [{ role: 'user', content: 'hi' }]
const event = (data: { readonly type: string; readonly [more: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const data = (body: object) => `data: ${JSON.stringify(body)}\n\n`

const usage = { input_tokens: 10, output_tokens: 5 }
const anthropic = (model: string) => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  content: [
    { type: 'text', text: `I am "model":"${theirs}"` },
    { type: 'tool_use', id: 't', name: 'set', input },
  ],
  model,
  stop_reason: 'tool_use',
  usage,
})
const anthropicStream = (model: string) =>
  [
    event({
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', content: [], model, usage },
    }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'set', input } }),
    event({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    }),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage }),
    event({ type: 'message_stop' }),
  ].join('')
const gemini = (modelVersion: string) => ({
  candidates: [
    {
      content: { role: 'model', parts: [{ functionCall: { name: 'set', args: input } }] },
      finishReason: 'STOP',
    },
  ],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  modelVersion,
})
const chat = (model: string) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 't', type: 'function', function: { name: 'set', arguments: JSON.stringify(input) } }],
        input,
      },
      finish_reason: 'tool_calls',
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
})
const response = (model: string) => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model,
  metadata: { model: theirs },
  output: [
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 't',
      name: 'set',
      arguments: JSON.stringify(input),
      status: 'completed',
    },
  ],
  usage: { ...usage, total_tokens: 15 },
})

const dialects = [
  ['Anthropic', { type: 14, path: '/v1/messages', body: { max_tokens: 50, messages }, answer: anthropic }],
  [
    'Gemini',
    {
      type: 24,
      path: '/v1beta/models/gpt-4o:generateContent',
      body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
      answer: gemini,
    },
  ],
  ['OpenAI', { type: 1, path: '/v1/chat/completions', body: { messages }, answer: chat }],
  ['responses', { type: 1, path: '/v1/responses', body: { input: 'hi' }, answer: response }],
] as const

describe.each(dialects)('a plain answer of %s', (_, { type, path, body, answer }) => {
  test.each(['short', 'long'])('names the asked model in its own field and nowhere else: %s', async (length) => {
    const more = length === 'long' ? { padding: 'x'.repeat(100_000) } : {}
    await scene.channel(() => Response.json({ ...more, ...answer(theirs) }), { type })
    const asked = { ...body, ...(path.includes('gpt-4o') ? {} : { model: 'gpt-4o' }) }
    const said = await scene.post(path, asked)
    expect(said.status).toBe(200)
    expect(await said.json()).toEqual({ ...more, ...answer('gpt-4o') } as never)
  })
})

test('a stream of Anthropic names the asked model in its first event and leaves the call of a tool alone', async () => {
  await scene.channel(eventStream(anthropicStream(theirs)), { type: 14 })
  const said = await scene.post('/v1/messages', { model: 'gpt-4o', max_tokens: 50, messages, stream: true })
  expect(await said.text()).toBe(anthropicStream('gpt-4o'))
})

test('a stream of Gemini names the asked model in each event and leaves the call of a tool alone', async () => {
  await scene.channel(eventStream(data(gemini(theirs))), { type: 24 })
  const path = '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse'
  const said = await scene.post(path, { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] })
  expect(await said.text()).toBe(data(gemini('gpt-4o')))
})

test('a stream of responses names the asked model in the response of each event', async () => {
  const events = (model: string) =>
    event({ type: 'response.created', response: { ...response(model), status: 'in_progress', output: [] } }) +
    event({ type: 'response.completed', response: response(model) })
  await scene.channel(eventStream(events(theirs)))
  const said = await scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi', stream: true })
  expect(await said.text()).toBe(events('gpt-4o'))
})
