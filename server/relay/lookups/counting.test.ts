import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { countChat } from '#server/billing/counting/tokenizer.ts'
import { expectUntouched } from '#server/testing/expect-charge.ts'
import { type Behaviour, chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startingQuota, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const anthropic: Behaviour = ({ path }) =>
  path === '/v1/messages/count_tokens' ? Response.json({ input_tokens: 123 }) : new Response('', { status: 500 })
const google: Behaviour = ({ path }) =>
  path.endsWith(':countTokens') ? Response.json({ totalTokens: 321 }) : new Response('', { status: 500 })
const openai: Behaviour = ({ path }) =>
  path === '/v1/responses/input_tokens'
    ? Response.json({ object: 'response.input_tokens', input_tokens: 77 })
    : new Response('', { status: 500 })

const hosted = [{ type: 'web_search_20250305', name: 'web_search' }]
const messages = [{ role: 'user', content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]

const free = async (work: () => Promise<Response>): Promise<unknown> => {
  let answer: unknown
  const bill = await scene.bill(async () => {
    answer = await (await work()).json()
  })
  expectUntouched(bill)
  return answer
}

test('Anthropic counts for its own clients, whatever tools are in the question and however it is kept short', async () => {
  const channel = await scene.channel(anthropic, { type: 14, models: 'claude-x' })
  const context_management = { edits: [{ type: 'clear_tool_uses_20250919' }] }
  const body = { model: 'claude-x', messages, tools: hosted, context_management, cache_control: { type: 'ephemeral' } }
  expect(await free(() => scene.post('/v1/messages/count_tokens', body))).toEqual({ input_tokens: 123 })
  expect(channel.seen[0]?.body).toEqual(body)
})

test("Gemini counts its models also for Anthropic's clients, and the other way round", async () => {
  const gemini = await scene.channel(google, { type: 24, models: 'gemini-x' })
  await scene.channel(anthropic, { type: 14, models: 'claude-x' })
  const asked = { model: 'gemini-x', messages, tools: hosted }
  expect(await free(() => scene.post('/v1/messages/count_tokens', asked))).toEqual({ input_tokens: 321 })
  expect(gemini.seen[0]?.body).toMatchObject({ generateContentRequest: { model: 'models/gemini-x', contents } })
  expect(await free(() => scene.post('/v1beta/models/claude-x:countTokens', { contents }))).toEqual({
    totalTokens: 123,
  })
})

test('OpenAI counts what would be the input of a response', async () => {
  await scene.channel(openai)
  const body = { model: 'gpt-4o', input: 'hi', tools: [{ type: 'web_search' }] }
  expect(await free(() => scene.post('/v1/responses/input_tokens', body))).toMatchObject({ input_tokens: 77 })
})

test('tokens of an earlier response count too, whether the relay or the vendor keeps it', async () => {
  const chat = chatAnswer('hello there', { prompt_tokens: 10, completion_tokens: 5 })
  await scene.channel(chat, { type: 14, models: 'unused' })
  await scene.channel(
    (request) => (request.path === '/v1/chat/completions' ? chat(request) : new Response('', { status: 404 })),
    { type: 8 },
  )
  const first = (await (await scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi' })).json()) as { id: string }
  const onward = { model: 'gpt-4o', input: 'go on', previous_response_id: first.id }
  const whole = [{ texts: ['hi'] }, { texts: ['hello there'] }, { texts: ['go on'] }]
  expect(await free(() => scene.post('/v1/responses/input_tokens', onward))).toEqual({
    object: 'response.input_tokens',
    input_tokens: await countChat(whole, 'gpt-4o'),
  })
  const never = { ...onward, previous_response_id: 'resp_never' }
  expect((await scene.post('/v1/responses/input_tokens', never)).status).toBe(404)
})

test('where the channel has no such call, or it fails, tokens are counted here', async () => {
  await scene.channel(anthropic, { type: 8, models: 'plain' })
  await scene.channel(() => new Response('', { status: 500 }), { type: 14, models: 'broken' })
  for (const model of ['plain', 'broken']) {
    const expected = { input_tokens: await countChat([{ texts: ['hi'] }], model) }
    expect(await free(() => scene.post('/v1/messages/count_tokens', { model, messages }))).toEqual(expected)
  }
})

test.each([
  {},
  { message: 'no quota for upstream-key-1' },
  { input_tokens: -5, totalTokens: -5 },
  { input_tokens: 'many', totalTokens: {} },
])('where the vendor answers %j, which is no count, tokens are counted here', async (answer) => {
  await scene.channel(() => Response.json(answer), { type: 14, models: 'claude-x' })
  await scene.channel(() => Response.json(answer), { type: 24, models: 'gemini-x' })
  const counted = expect.any(Number)
  const body = { model: 'claude-x', messages }
  expect(await free(() => scene.post('/v1/messages/count_tokens', body))).toEqual({ input_tokens: counted })
  expect(await free(() => scene.post('/v1beta/models/gemini-x:countTokens', { contents }))).toEqual({
    totalTokens: counted,
  })
})

test('unknown models are not found, and a model the key may not use is not counted', async () => {
  const channel = await scene.channel(anthropic, { type: 14, models: 'claude-x' })
  expect((await scene.post('/v1/messages/count_tokens', { model: 'nobody', messages })).status).toBe(404)
  const token = await scene.user.call(api.tokens.create, { name: 'narrow', remain_quota: 1000, models: 'other' })
  const headers = { authorization: `Bearer sk-${token.key}` }
  const answer = await scene.post('/v1/messages/count_tokens', { model: 'claude-x', messages }, { headers })
  expect(answer.status).toBe(403)
  expect(channel.seen).toHaveLength(0)
})

describe.each([
  ['/v1/messages/count_tokens', { model: 'gpt-4o', messages }],
  ['/v1beta/models/gpt-4o:countTokens', { contents }],
  ['/v1/responses/input_tokens', { model: 'gpt-4o', input: 'hi' }],
] as const)('a count at %s', (path, body) => {
  test('is refused for who has nothing, and reaches no vendor', async () => {
    const channel = await scene.channel([anthropic, google, openai])
    await scene.root.call(api.users.update, { id: scene.userId, quota: 0 })
    const refused = await scene.post(path, body)
    await scene.root.call(api.users.update, { id: scene.userId, quota: startingQuota })
    expect(refused.status).toBe(402)
    const said = (await refused.json()) as { error: { message: string } }
    expect(said.error.message).toContain('not enough')
    expect(channel.seen).toHaveLength(0)
    const empty = await scene.user.call(api.tokens.create, { name: 'empty', remain_quota: 0 })
    expect((await scene.post(path, body, bearing(empty.key))).status).toBe(402)
  })

  test('counts on the requests a minute', async () => {
    await scene.channel(openai)
    const { key } = await scene.user.call(api.tokens.create, { name: 'limited', unlimited_quota: true, rpm: 2 })
    const statuses = []
    for (let count = 0; count < 3; count += 1) statuses.push((await scene.post(path, body, bearing(key))).status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await scene.chat({}, bearing(key))).status).toBe(429)
  })
})

const bearing = (key: string) => ({ headers: { authorization: `Bearer sk-${key}` } })
