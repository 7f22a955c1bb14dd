import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { expectCharge, expectUntouched } from '#server/testing/expect-charge.ts'
import { eventStream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const hello = [{ role: 'user', content: 'hi' }]
const claude = 'claude-sonnet-4-6'
const routingConfig = { manualMode: { modelName: 'gemini-2.5-pro' } }

const message = (content: object[], usage: object) => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: claude,
  content,
  stop_reason: 'end_turn',
  usage,
})

const summary = { type: 'compaction', content: 'They spoke of cats.', encrypted_content: 'x' }
const words = { type: 'text', text: 'hello' }
const iterations = [
  {
    type: 'compaction',
    input_tokens: 180_000,
    cache_read_input_tokens: 1000,
    cache_creation_input_tokens: 0,
    output_tokens: 3500,
  },
  { type: 'message', input_tokens: 23_000, output_tokens: 1000 },
]

describe('a summary that Claude writes of the conversation', () => {
  const edits = [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 } }]
  const asks = (more: object, stream = false) => ({ model: claude, max_tokens: 4000, messages: hello, stream, ...more })
  const post = async (body: object) => {
    const answer = await scene.post('/v1/messages', body)
    expect(answer.status).toBe(200)
    return answer.text()
  }
  const whole = 1.5 * (180_000 + 23_000) + 0.15 * 1000 + 7.5 * 4500

  test('is paid beside the answer', async () => {
    const usage = { input_tokens: 23_000, output_tokens: 1000, iterations }
    await scene.channel(() => Response.json(message([summary, words], usage)), { type: 14, models: claude })
    const bill = await scene.bill(() => post(asks({ context_management: { edits } })))
    expectCharge(bill, whole, { prompt_tokens: 204_000, completion_tokens: 4500 })
  })

  test('is paid beside the answer of a stream', async () => {
    const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
    const start = { ...message([], { input_tokens: 23_000, output_tokens: 1 }), stop_reason: null }
    await scene.channel(
      eventStream(
        event('message_start', { message: start }),
        event('content_block_start', { index: 0, content_block: { type: 'compaction', content: null } }),
        event('content_block_delta', { index: 0, delta: { type: 'compaction_delta', content: summary.content } }),
        event('content_block_stop', { index: 0 }),
        event('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }),
        event('content_block_delta', { index: 1, delta: { type: 'text_delta', text: 'hello' } }),
        event('content_block_stop', { index: 1 }),
        event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1000, iterations } }),
        event('message_stop', {}),
      ),
      { type: 14, models: claude },
    )
    expectCharge(await scene.bill(() => post(asks({ context_management: { edits } }, true))), whole)
  })

  test('is paid when it is all that was asked for', async () => {
    const usage = { input_tokens: 0, output_tokens: 0, iterations: iterations.slice(0, 1) }
    const channel = await scene.channel(() => Response.json(message([summary], usage)), { type: 14, models: claude })
    const bill = await scene.bill(() => post(asks({ compaction: { type: 'summarize' } })))
    expectCharge(bill, 1.5 * 180_000 + 0.15 * 1000 + 7.5 * 3500)
    expect(channel.seen).toHaveLength(1)
  })
})

describe('nobody is asked', () => {
  const advisor = { type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-4-1' }
  const search = { type: 'web_search_20250305', name: 'web_search' }
  const brings = (definition: object) => ({ type: 'tool_addition', tool: { type: 'tool_definition', definition } })
  const says = (block: object) => [...hello, { role: 'system', content: [block] }, ...hello]

  test.each([
    ['of Claude to fall back on other models', { fallbacks: [{ model: 'claude-opus-4-1', max_tokens: 64_000 }] }],
    ['of Claude to fall back on what its vendor chooses', { fallbacks: 'default' }],
    ['with an advisor among the messages', { messages: says(brings(advisor)) }],
    ['with a search among the messages, which nothing bounds', { messages: says(brings(search)) }],
    [
      'with a tool kept in a summary',
      { messages: says({ type: 'compaction', content: 'cats', tool_changes: [brings(advisor)] }) },
    ],
  ])('%s', async (_, more) => {
    const answers = () => Response.json(message([words], { input_tokens: 1, output_tokens: 1 }))
    const channel = await scene.channel(answers, { type: 14, models: claude })
    const body = { model: claude, max_tokens: 100, messages: hello, ...more }
    const bill = await scene.bill(async () => expect((await scene.post('/v1/messages', body)).status).toBe(400))
    expectUntouched(bill)
    expect(channel.seen).toHaveLength(0)
  })

  const drawing = [{ type: 'image_generation' }]
  test.each([
    ['in a chat that names other models', 20, '/v1/chat/completions', { messages: hello, models: ['openai/o1-pro'] }],
    ['for an answer that is fetched later', 35, '/v1/chat/completions', { messages: hello, deferred: true }],
    ['for a response that names other models', 20, '/v1/responses', { input: 'hi', models: ['openai/o1-pro'] }],
    [
      'with pictures to draw among the items',
      1,
      '/v1/responses',
      { input: [...hello, { type: 'additional_tools', role: 'developer', tools: drawing }] },
    ],
    [
      'with pictures to draw among the tools found',
      1,
      '/v1/responses',
      { input: [...hello, { type: 'tool_search_output', call_id: 'c', tools: drawing }] },
    ],
  ])('%s', async (_, type, path, more) => {
    const channel = await scene.channel(() => Response.json({}), { type, models: 'gpt-5' })
    const bill = await scene.bill(async () =>
      expect((await scene.post(path, { model: 'gpt-5', ...more })).status).toBe(400),
    )
    expectUntouched(bill)
    expect(channel.seen).toHaveLength(0)
  })
})

test('a body that names other models is refused with the field that names them', async () => {
  await scene.channel(() => Response.json({}), { models: 'gpt-5' })
  const answer = await scene.post('/v1/chat/completions', { model: 'gpt-5', messages: hello, models: ['gpt-4o'] })
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain(
    'The model gpt-5 has no price for answers of other models (the field models), so it cannot be billed.',
  )
})

test.each([{ generationConfig: { routingConfig } }, { generation_config: { routing_config: routingConfig } }])(
  'a model that Google is to ask in the place of another is refused (%#)',
  async (config) => {
    const channel = await scene.channel(() => Response.json({}), { type: 24, models: 'gemini-2.5-flash' })
    const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }], ...config }
    const bill = await scene.bill(async () =>
      expect((await scene.post('/v1beta/models/gemini-2.5-flash:generateContent', body)).status).toBe(400),
    )
    expectUntouched(bill)
    expect(channel.seen).toHaveLength(0)
  },
)

test('a search in several steps, which has a fee of its own, is refused', async () => {
  const channel = await scene.channel(() => Response.json({}), { type: 36, models: 'sonar-pro' })
  const body = { model: 'sonar-pro', messages: hello, web_search_options: { search_type: 'pro' } }
  expect((await scene.post('/v1/chat/completions', body)).status).toBe(400)
  expect(channel.seen).toHaveLength(0)
})

test('pictures to draw cannot be put into a conversation that is kept', async () => {
  const channel = await scene.channel(() => Response.json({ id: 'conv_1', object: 'conversation' }), {
    models: 'gpt-5',
  })
  const items = [{ type: 'additional_tools', role: 'developer', tools: [{ type: 'image_generation' }] }]
  const answer = await scene.post('/v1/conversations', { items })
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('The model of a conversation has no price for the tool image_generation')
  expect(channel.seen).toHaveLength(0)
})

test('tools of the client among the items cost their tokens', async () => {
  const answer = {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    output: [{ type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'hello' }] }],
    usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
  }
  await scene.channel(() => Response.json(answer), { models: 'gpt-5' })
  const tools = [{ type: 'function', name: 'f', parameters: {} }]
  const input = [...hello, { type: 'additional_tools', role: 'developer', tools }]
  const bill = await scene.bill(() => scene.post('/v1/responses', { model: 'gpt-5', input }))
  expectCharge(bill, Math.ceil(0.625 * 100 + 5 * 10))
})
