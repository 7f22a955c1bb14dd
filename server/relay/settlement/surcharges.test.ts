import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { expectCharge, expectUntouched } from '#server/testing/expect-charge.ts'
import { type Behaviour, chatAnswer } from '#server/testing/fake-upstream.ts'
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

const usage = { prompt_tokens: 1000, completion_tokens: 100 }
const hello = [{ role: 'user', content: 'hi' }]

const chatServed = (service_tier: string | undefined) => async () => {
  const answer = await (await chatAnswer('hello', usage)({} as never)).json()
  return Response.json({ ...(answer as object), ...(service_tier ? { service_tier } : {}) })
}

const message = (report: object) => () =>
  Response.json({
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [{ type: 'text', text: 'hello' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1000, output_tokens: 100, ...report },
  })

const response =
  (output: object[], more = {}) =>
  () =>
    Response.json({
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      model: 'gpt-5',
      output: [
        ...output,
        {
          type: 'message',
          id: 'msg',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'hello', annotations: [] }],
        },
      ],
      usage: { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 },
      ...more,
    })

const generated = (metadata: object) => () =>
  Response.json({
    candidates: [
      { content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP', groundingMetadata: metadata },
    ],
    usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 100, totalTokenCount: 1100 },
  })

/** gpt-5: 0.625 in and 5 out. */
const gpt5 = 1000 * 0.625 + 100 * 5
const search = 5000

describe('a request served', () => {
  test.each([
    ['with priority costs twice', 'priority', 'priority', gpt5 * 2],
    ['with priority that is not reported costs it all the same', 'priority', undefined, gpt5 * 2],
    ['flexibly costs half', 'flex', 'flex', gpt5 / 2],
    ['flexibly costs half only where the vendor says so', 'flex', undefined, gpt5],
    ['flexibly costs all of it where the vendor served it otherwise', 'flex', 'default', gpt5],
    ['with priority that its project has chosen costs twice', 'auto', 'priority', gpt5 * 2],
  ])('%s', async (_, asked, reported, quota) => {
    await scene.channel(chatServed(reported), { models: 'gpt-5' })
    const bill = await scene.bill(() => scene.chat({ model: 'gpt-5', service_tier: asked }))
    expectCharge(bill, Math.ceil(quota))
  })

  test('fast by Claude costs six times', async () => {
    await scene.channel(message({ speed: 'fast' }), { type: 14, models: 'claude-opus-4-6' })
    const body = { model: 'claude-opus-4-6', max_tokens: 500, speed: 'fast', messages: hello }
    const bill = await scene.bill(() => scene.post('/v1/messages', body))
    expectCharge(bill, 6 * (1000 * 2.5 + 100 * 12.5))
  })

  test.each([
    ['that says so', { inference_geo: 'us' }],
    ['that does not say so', {}],
  ])('inside the United States by a Claude %s costs a tenth more', async (_, report) => {
    await scene.channel(message(report), { type: 14, models: 'claude-opus-4-6' })
    const body = { model: 'claude-opus-4-6', max_tokens: 500, inference_geo: 'us', messages: hello }
    const bill = await scene.bill(() => scene.post('/v1/messages', body))
    expectCharge(bill, Math.ceil(1.1 * (1000 * 2.5 + 100 * 12.5)))
  })

  test('inside the United States costs a tenth more by Claude Sonnet 4.6 too', async () => {
    const model = 'claude-sonnet-4-6'
    await scene.channel(message({ inference_geo: 'us' }), { type: 14, models: model })
    const body = { model, max_tokens: 500, inference_geo: 'us', messages: hello }
    expectCharge(await scene.bill(() => scene.post('/v1/messages', body)), Math.ceil(1.1 * (1000 * 1.5 + 100 * 7.5)))
  })
})

describe('tools that run at the vendor', () => {
  test('Claude searches the web at a cent a search', async () => {
    await scene.channel(message({ server_tool_use: { web_search_requests: 3 } }), {
      type: 14,
      models: 'claude-sonnet-4-5',
    })
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
    const body = { model: 'claude-sonnet-4-5', max_tokens: 500, tools, messages: hello }
    const bill = await scene.bill(() => scene.post('/v1/messages', body))
    expectCharge(bill, 1000 * 1.5 + 100 * 7.5 + 3 * search)
  })

  test('GPT searches the web, opens files and runs code by the call', async () => {
    await scene.channel(
      response([
        { type: 'web_search_call', id: 'w1', status: 'completed', action: { type: 'search' } },
        { type: 'web_search_call', id: 'w2', status: 'completed', action: { type: 'open_page' } },
        { type: 'file_search_call', id: 'f1', status: 'completed' },
        { type: 'code_interpreter_call', id: 'c1', container_id: 'a' },
        { type: 'code_interpreter_call', id: 'c2', container_id: 'a' },
      ]),
      { models: 'gpt-5' },
    )
    const tools = [
      { type: 'web_search' },
      { type: 'file_search', vector_store_ids: ['v'] },
      { type: 'code_interpreter' },
    ]
    const bill = await scene.bill(() => scene.post('/v1/responses', { model: 'gpt-5', input: 'hi', tools }))
    expectCharge(bill, gpt5 + search + 1250 + 15_000)
  })

  test.each([
    ['gpt-4o', 1000 * 1.25 + 100 * 5],
    ['gpt-4.1', 1000 * 1 + 100 * 4],
  ])('%s, which does not reason, searches the web at two and a half cents a search', async (model, tokens) => {
    await scene.option('ModelRatio', '{}')
    await scene.option('CompletionRatio', '{}')
    const searches = ['w1', 'w2'].map((id) => ({ type: 'web_search_call', id, action: { type: 'search' } }))
    await scene.channel(response(searches), { models: model })
    const body = { model, input: 'hi', tools: [{ type: 'web_search' }] }
    expectCharge(await scene.bill(() => scene.post('/v1/responses', body)), tokens + 2 * 12_500)
  })

  test.each([
    ['gemini-3-flash-preview by the query', 'gemini-3-flash-preview', 1000 * 0.25 + 100 * 1.5 + 2 * 7000],
    ['gemini-2.5-flash by the request', 'gemini-2.5-flash', 1000 * 0.15 + 100 * 1.25 + 17_500],
  ])('Gemini searches the web: %s', async (_, model, quota) => {
    await scene.channel(generated({ webSearchQueries: ['a', 'b'] }), { type: 24, models: model })
    const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }], tools: [{ googleSearch: {} }] }
    const bill = await scene.bill(() => scene.post(`/v1beta/models/${model}:generateContent`, body))
    expectCharge(bill, quota)
  })

  test.each([
    [undefined, 17_500],
    ['high', 25_000],
  ])('a search model costs its fee for every request (%s)', async (size, fee) => {
    await scene.channel(chatAnswer('hello', usage), { models: 'gpt-4o-search-preview' })
    const web_search_options = size ? { search_context_size: size } : undefined
    const bill = await scene.bill(() => scene.chat({ model: 'gpt-4o-search-preview', web_search_options }))
    expectCharge(bill, 1000 * 1.25 + 100 * 5 + fee)
  })

  test('a search model costs its fee also where its vendor knows it by a name of the operator', async () => {
    const model = 'gpt-4o-search-preview'
    await scene.channel(chatAnswer('hello', usage), { models: model, model_mapping: `{"${model}":"our-deployment"}` })
    expectCharge(await scene.bill(() => scene.chat({ model })), 1000 * 1.25 + 100 * 5 + 17_500)
  })

  test.each([
    ['sonar', undefined, 1000 * 0.5 + 100 * 0.5 + 2500],
    ['sonar', {}, 1000 * 0.5 + 100 * 0.5 + 2500],
    ['sonar', { search_context_size: 'high' }, 1000 * 0.5 + 100 * 0.5 + 6000],
    ['sonar-pro', { search_context_size: 'medium' }, 1000 * 1.5 + 100 * 7.5 + 5000],
    ['sonar-reasoning-pro', undefined, 1000 * 1 + 100 * 4 + 3000],
  ])('%s costs its fee for every request, with options %p', async (model, web_search_options, quota) => {
    await scene.channel(chatAnswer('hello', usage), { type: 36, models: model })
    expectCharge(await scene.bill(() => scene.chat({ model, web_search_options })), quota)
  })

  test('a model that researches costs its searches, what it read and what it thought', async () => {
    const report = { ...usage, total_tokens: 1100, citation_tokens: 500, num_search_queries: 18, reasoning_tokens: 400 }
    await scene.channel(chatAnswer('hello', report), { type: 36, models: 'sonar-deep-research' })
    const bill = await scene.bill(() => scene.chat({ model: 'sonar-deep-research' }))
    expectCharge(bill, 1500 * 1 + 100 * 4 + 400 * 1.5 + 18 * 2500, { prompt_tokens: 1500, completion_tokens: 500 })
  })

  test('may be called no more often than is held for', async () => {
    const claude = await scene.channel(message({}), { type: 14, models: 'claude-sonnet-4-5' })
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
    await scene.post('/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 500, tools, messages: hello })
    expect(claude.seen[0]?.body.tools).toMatchObject([{ max_uses: 20 }])
    const gpt = await scene.channel(response([]), { models: 'gpt-5' })
    await scene.post('/v1/responses', {
      model: 'gpt-5',
      input: 'hi',
      max_tool_calls: 3,
      tools: [{ type: 'web_search' }],
    })
    expect(gpt.seen[0]?.body.max_tool_calls).toBe(3)
  })
})

test('a tool that is left out for a channel of another dialect costs nothing and is not refused', async () => {
  const channel = await scene.channel(chatAnswer('hello', usage), { models: 'deepseek-chat' })
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
  const body = { model: 'deepseek-chat', max_tokens: 500, tools, messages: hello }
  const bill = await scene.bill(async () => expect((await scene.post('/v1/messages', body)).status).toBe(200))
  expect(channel.seen).toHaveLength(1)
  expectCharge(bill, 1000 * 0.14 + 100 * 0.21)
})

describe('what has no price is refused', () => {
  test.each([
    [
      'priority of a model without it',
      '/v1/chat/completions',
      { messages: hello, service_tier: 'priority' },
      'gpt-3.5-turbo',
    ],
    ['a tier nobody knows', '/v1/chat/completions', { messages: hello, service_tier: 'golden' }, 'gpt-5'],
    [
      'pictures drawn inside of an answer',
      '/v1/responses',
      { input: 'hi', tools: [{ type: 'image_generation' }] },
      'gpt-5',
    ],
    ['live search', '/v1/chat/completions', { messages: hello, search_parameters: { mode: 'on' } }, 'grok-4'],
    ['plugins', '/v1/chat/completions', { messages: hello, plugins: [{ id: 'web' }] }, 'gpt-5'],
    ["Alibaba's search", '/v1/chat/completions', { messages: hello, enable_search: true }, 'qwen-plus'],
    ['a search paid by the post', '/v1/responses', { input: 'hi', tools: [{ type: 'x_search' }] }, 'gpt-5'],
    [
      'a large machine to run code on',
      '/v1/responses',
      { input: 'hi', tools: [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '64g' } }] },
      'gpt-5',
    ],
  ])('%s', async (_, path, body, model) => {
    const channel = await scene.channel(chatAnswer('hello', usage), { models: model })
    const bill = await scene.bill(async () => expect((await scene.post(path, { model, ...body })).status).toBe(400))
    expectUntouched(bill)
    expect(channel.seen).toHaveLength(0)
  })
})

test.each([1, 8])('tools of OpenAI are left out for models it does not sell, at channels of type %d', async (type) => {
  const answers: Behaviour = (request) =>
    request.path === '/v1/chat/completions'
      ? chatAnswer('hello', usage)(request)
      : Response.json({
          id: 'resp_1',
          object: 'response',
          status: 'completed',
          output: [],
          usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
        })
  const channel = await scene.channel(answers, { type, models: 'deepseek-chat' })
  const tools = [{ type: 'web_search' }, { type: 'function', name: 'f', parameters: {} }]
  const bill = await scene.bill(async () => {
    expect((await scene.post('/v1/responses', { model: 'deepseek-chat', input: 'hi', tools })).status).toBe(200)
  })
  expect(bill.rows[0]?.content).toContain('tools left out: web_search')
  expect(channel.seen[0]?.raw).not.toContain('web_search')
  expect(channel.seen[0]?.raw).toContain('"f"')
})
