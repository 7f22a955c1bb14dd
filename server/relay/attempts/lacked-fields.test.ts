import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { newestOpenai } from '#server/testing/doubles/newest-openai.ts'
import { expectCharge, expectFree } from '#server/testing/expect-charge.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { doubleCharge } from '#server/testing/vendor-scene.ts'
import { api } from '#shared/api/all.ts'
import { checkTable } from '#shared/testing/table.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const tools = [{ type: 'function', function: { name: 'weather', parameters } }]

const channelOf = async (model: string, overrides?: object) => {
  const channel = await scene.channel(newestOpenai, { model_mapping: JSON.stringify({ 'gpt-4o': model }) })
  if (overrides) await scene.root.call(api.channels.update, { id: channel.id, overrides: JSON.stringify(overrides) })
  return channel
}

const lacked: readonly (readonly [string, object])[] = [
  ['stop', { stop: ['x'] }],
  ['stop', { stop: 'x' }],
  ['n', { n: 2 }],
  ['logit_bias', { logit_bias: { 50256: -100 } }],
  ['logprobs', { logprobs: true, top_logprobs: 2 }],
  ['prediction', { prediction: { type: 'content', content: 'x' } }],
  ['audio', { audio: { voice: 'alloy', format: 'wav' } }],
  ['presence_penalty', { presence_penalty: 0.5 }],
  ['frequency_penalty', { frequency_penalty: -1 }],
]
const cells = lacked.map(([field, more]) => [JSON.stringify(more), { field, more }] as const)

describe('a field that responses lack', () => {
  test('goes to chat without thinking where the model knows that and the client names no effort', () =>
    checkTable(cells, async ({ more }) => {
      const channel = await channelOf('gpt-6-sol')
      const bill = await scene.bill(async () => {
        const response = await scene.chat({ tools, ...more })
        expect(response.status, await response.text()).toBe(200)
      })
      expect(bill).toMatchObject({ user: -doubleCharge, holds: 0 })
      expect(bill.rows).toHaveLength(1)
      expect(channel.seen).toHaveLength(1)
      expect(channel.seen[0]?.path).toBe('/v1/chat/completions')
      expect(channel.seen[0]?.body).toMatchObject({ ...more, model: 'gpt-6-sol', reasoning_effort: 'none' })
      await scene.clear()
    }))

  test.each([
    ['gpt-6-sol', { reasoning_effort: 'low' }],
    ['gpt-5.5', { reasoning_effort: 'high' }],
    ['gpt-6.1-sol', {}],
  ])('is refused by name beside tools of %s with %j, and nothing is charged', (model, effort) =>
    checkTable(cells, async ({ field, more }) => {
      const channel = await channelOf(model)
      const bill = await scene.bill(async () => {
        const response = await scene.chat({ tools, ...effort, ...more })
        expect(response.status).toBe(400)
        const { error } = (await response.json()) as { error: Record<string, unknown> }
        expect(error).toMatchObject({ type: 'invalid_request_error', code: 'unsupported_value', param: field })
        expect(String(error.message)).toStartWith(
          `${field} cannot be used with tools on this model: leave one of them out.`,
        )
      })
      expectFree(bill, { outcome: 'failed' })
      expect(channel.seen).toEqual([])
      await scene.clear()
    }),
  )

  test('is dropped where nobody misses it', async () => {
    const channel = await channelOf('gpt-6.1-sol')
    const idle = {
      seed: 7,
      presence_penalty: 0,
      frequency_penalty: 0,
      stop: null,
      n: 1,
      logprobs: false,
      logit_bias: {},
    }
    expectCharge(await scene.bill(() => scene.chat({ tools, ...idle })), doubleCharge)
    expect(channel.seen[0]?.path).toBe('/v1/responses')
    for (const name of Object.keys(idle)) expect(channel.seen[0]?.body).not.toHaveProperty(name)
  })

  test("has the client's own name in the refusal", async () => {
    await channelOf('gpt-6.1-sol')
    const response = await scene.post('/v1/messages', {
      model: 'gpt-4o',
      max_tokens: 10,
      messages: [{ role: 'user', content: 'hi' }],
      tools: [{ name: 'weather', input_schema: parameters }],
      stop_sequences: ['x'],
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('stop_sequences cannot be used with tools on this model')
  })
})

test('what chat and responses share is written anew', async () => {
  const channel = await channelOf('gpt-6-luna')
  const schema = { type: 'object', properties: {}, additionalProperties: false }
  const shared = {
    parallel_tool_calls: false,
    service_tier: 'flex',
    prompt_cache_key: 'k',
    prompt_cache_options: { ttl: '30m' },
    safety_identifier: 'ann',
    metadata: { a: 'b' },
  }
  const response = await scene.chat({
    ...shared,
    tools,
    tool_choice: { type: 'function', function: { name: 'weather' } },
    max_tokens: 77,
    verbosity: 'low',
    reasoning_effort: 'low',
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } },
    store: true,
  })
  expect(response.status, await response.text()).toBe(200)
  expect(channel.seen[0]?.body).toEqual({
    ...shared,
    model: 'gpt-6-luna',
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
    tools: [{ type: 'function', name: 'weather', parameters, strict: false }],
    tool_choice: { type: 'function', name: 'weather' },
    max_output_tokens: 77,
    text: { verbosity: 'low', format: { type: 'json_schema', name: 'a', schema, strict: true } },
    reasoning: { effort: 'low' },
    include: ['reasoning.encrypted_content'],
    store: true,
  })
})

describe("a channel's overrides", () => {
  test("name an effort as the client would, in chat's words", async () => {
    const channel = await channelOf('gpt-5.4', { set: { reasoning_effort: 'high' } })
    expectCharge(await scene.bill(() => scene.chat({ tools })), doubleCharge)
    expect(channel.seen[0]?.path).toBe('/v1/responses')
    expect(channel.seen[0]?.body).toMatchObject({ reasoning: { effort: 'high' } })
    expect(channel.seen[0]?.body).not.toHaveProperty('reasoning_effort')
  })

  test('take one away', async () => {
    const channel = await channelOf('gpt-5.4', { remove: ['reasoning_effort'] })
    expectCharge(await scene.bill(() => scene.chat({ tools, reasoning_effort: 'high' })), doubleCharge)
    expect(channel.seen[0]?.path).toBe('/v1/chat/completions')
  })

  test('hold for other dialects too, before the body is written anew', async () => {
    const channel = await channelOf('gpt-5.5', {
      set: { reasoning_effort: 'high', max_tokens: 9, verbosity: 'low' },
      default: { truncation: 'auto' },
    })
    const bill = await scene.bill(() =>
      scene.post('/v1/messages', {
        model: 'gpt-4o',
        max_tokens: 50,
        messages: [{ role: 'user', content: 'hi' }],
        tools: [{ name: 'weather', input_schema: parameters }],
      }),
    )
    expectCharge(bill, doubleCharge)
    expect(channel.seen[0]?.path).toBe('/v1/responses')
    expect(channel.seen[0]?.body).toMatchObject({
      reasoning: { effort: 'high' },
      max_output_tokens: 9,
      text: { verbosity: 'low' },
      truncation: 'auto',
    })
  })

  test('do not raise the limit that was held', async () => {
    const channel = await channelOf('gpt-6.1-sol', { set: { max_tokens: 1_000_000, max_output_tokens: 1_000_000 } })
    expectCharge(await scene.bill(() => scene.chat({ tools, max_tokens: 20 })), doubleCharge)
    expect(channel.seen[0]?.body.max_output_tokens).toBe(20)
  })
})

test('a body that stays in chat stays byte for byte', async () => {
  const channel = await scene.channel(newestOpenai)
  const text = `{"model": "gpt-4o",  "messages":[{"role":"user","content":"h\\u0069"}], "tools":${JSON.stringify(tools)}, "seed": 12345678901234567890, "reasoning_effort":"low", "stop":["x"]}`
  const bill = await scene.bill(async () => {
    const headers = { authorization: `Bearer ${scene.key}`, 'content-type': 'application/json' }
    const response = await fetch(`${scene.app.url}/v1/chat/completions`, { method: 'POST', headers, body: text })
    expect(response.status, await response.text()).toBe(200)
  })
  expectCharge(bill, doubleCharge)
  expect(channel.seen[0]?.raw).toBe(text)
})
