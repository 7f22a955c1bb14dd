import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { expectCharge } from '#server/testing/expect-charge.ts'
import { type Behaviour, chatAnswer, eventStream } from '#server/testing/fake-upstream.ts'
import { giveId } from '#server/testing/given-id.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { responsesIn } from '#server/testing/responses-scene.ts'
import { strangerKey } from '#server/testing/stranger-key.ts'

let scene: RelayScene
let stranger: string
beforeAll(async () => {
  scene = await startRelayScene()
  stranger = await strangerKey(scene)
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const plain = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })
const asStranger = () => ({ headers: { authorization: `Bearer ${stranger}` } })
const { call, respond } = responsesIn(() => scene)

let made = 0
/** A server that knows chat alone. */
const chatOnly: Behaviour = (request) =>
  request.path === '/v1/chat/completions' ? plain(request) : new Response('not found', { status: 404 })

test("Anthropic's threads go on where they began, a hundred of a hundred, and are unknown to others", async () => {
  const claude =
    (name: string): Behaviour =>
    ({ body }) => {
      const id = `msg_${name}_${made++}`
      const usage = { input_tokens: 10, output_tokens: 5 }
      const message = {
        id,
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text: 'hello' }],
        stop_reason: 'end_turn',
        usage,
      }
      if (!body.stream) return Response.json(message)
      const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
      return eventStream(
        event('message_start', { message: { ...message, content: [] } }),
        event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
        event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'hello' } }),
        event('message_delta', { delta: { stop_reason: 'end_turn' }, usage }),
        event('message_stop', {}),
      )({ signal: new AbortController().signal } as never)
    }
  await scene.channel(claude('one'), { type: 14 })
  await scene.channel(claude('two'), { type: 14 })
  const ask = { model: 'gpt-4o', max_tokens: 20, messages: [{ role: 'user', content: 'hi' }] }
  for (let turn = 0; turn < 100; turn++) {
    const stream = turn % 2 === 0
    const text = await (await scene.post('/v1/messages', { ...ask, stream, thread: { type: 'create' } })).text()
    const id = /"id":"(msg_[^"]+)"/.exec(text)?.[1] ?? ''
    const thread = { type: 'continue', previous_message_id: id }
    const next = (await (await scene.post('/v1/messages', { ...ask, thread })).json()) as { id: string }
    expect(next.id.slice(0, 7)).toBe(id.slice(0, 7))
    if (turn > 0) continue
    const refused = await scene.post('/v1/messages', { ...ask, thread }, asStranger())
    expect(refused.status).toBe(404)
    expect(await refused.json()).toMatchObject({ error: { details: { error_code: 'thread_not_found' } } })
  }
})

test('conversations are kept by OpenAI where it is reached, else here', async () => {
  const upstream = await scene.channel(chatOnly, { type: 8 })
  const items = [{ role: 'user', content: 'my name is Ann' }]
  const own = (await (await scene.post('/v1/conversations', { items })).json()) as { id: string }
  expect((await respond({ input: 'who am I?', conversation: own.id })).status).toBe(200)
  expect(upstream.seen.at(-1)?.body.messages).toEqual([
    { role: 'user', content: 'my name is Ann' },
    { role: 'user', content: 'who am I?' },
  ])
  const kept = (await (await call('GET', `/v1/conversations/${own.id}/items`)).json()) as { data: unknown[] }
  expect(kept.data).toHaveLength(3)
  expect((await call('GET', `/v1/conversations/${own.id}`, stranger)).status).toBe(404)
  expect((await respond({ input: 'x', conversation: own.id }, asStranger())).status).toBe(404)
  const output = [{ type: 'message', id: 'msg_t', role: 'assistant', content: [{ type: 'output_text', text: 'Ann' }] }]
  const openaiChannel = await scene.channel(
    ({ path }) =>
      path === '/v1/responses'
        ? Response.json({ id: 'resp_t', object: 'response', status: 'completed', output, usage: { total_tokens: 2 } })
        : Response.json({ id: 'conv_theirs', object: 'conversation', path }),
    { models: 'gpt-4.1' },
  )
  // What is kept here is known to OpenAI's models too, and grows with them.
  expect((await respond({ model: 'gpt-4.1', input: 'again?', conversation: own.id })).status).toBe(200)
  expect(openaiChannel.seen.at(-1)?.body.input).toHaveLength(4)
  const grown = (await (await call('GET', `/v1/conversations/${own.id}/items`)).json()) as { data: unknown[] }
  expect(grown.data).toHaveLength(5)
  const theirs = (await (await scene.post('/v1/conversations', {})).json()) as { id: string }
  expect(theirs.id).toBe('conv_theirs')
  expect((await call('GET', '/v1/conversations/conv_theirs')).status).toBe(200)
  const asked = openaiChannel.seen.length
  expect((await call('GET', '/v1/conversations/conv_theirs', stranger)).status).toBe(404)
  expect(openaiChannel.seen).toHaveLength(asked)
})

test('a conversation goes on with any model, whichever of several channels of OpenAI carries it', async () => {
  const openai = (name: string) => () =>
    Response.json({ id: `conv_${name}`, object: 'conversation', status: 'completed', output: [], usage: {} })
  await scene.channel(openai('one'), { models: 'gpt-4o' })
  await scene.channel(openai('two'), { models: 'gpt-4.1,gpt-4o-mini' })
  const { id } = (await (await scene.post('/v1/conversations', {})).json()) as { id: string }
  for (const model of ['gpt-4o', 'gpt-4.1', 'gpt-4o'])
    expect((await respond({ model, input: 'hi', conversation: id })).status).toBe(200)
  await scene.channel(openai('all'), { models: 'gpt-4o,gpt-4.1,gpt-4o-mini' })
  expect(await (await scene.post('/v1/conversations', {})).json()).toMatchObject({ id: 'conv_all' })
})

test('content Google keeps is paid once with its rent, listed for its owner, and used where it is', async () => {
  const google: Behaviour = ({ path, body }) => {
    if (path === '/v1beta/cachedContents' && body.model)
      return Response.json({ name: 'cachedContents/c1', usageMetadata: { totalTokenCount: 100 } })
    if (path === '/v1beta/cachedContents/c1') return Response.json({ name: 'cachedContents/c1' })
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
    return Response.json({
      candidates: [{ content: { parts: [{ text: 'hello' }] }, finishReason: 'STOP' }],
      usageMetadata,
    })
  }
  await scene.channel(google, { type: 24 })
  const contents = [{ role: 'user', parts: [{ text: 'long' }] }]
  const bill = await scene.bill(async () => {
    const made = await scene.post('/v1beta/cachedContents', { model: 'models/gpt-4o', contents, ttl: '3600s' })
    expect(await made.json()).toMatchObject({ name: 'cachedContents/c1' })
  })
  expectCharge(bill, 500)
  const use = (key = scene.key) =>
    scene.post(
      '/v1beta/models/gpt-4o:generateContent',
      { contents, cachedContent: 'cachedContents/c1' },
      { headers: { authorization: `Bearer ${key}` } },
    )
  expect((await use()).status).toBe(200)
  expect((await use(stranger)).status).toBe(404)
  expect(await (await call('GET', '/v1beta/cachedContents')).json()).toEqual({
    cachedContents: [{ name: 'cachedContents/c1' }],
  })
  expect(await (await call('GET', '/v1beta/cachedContents', stranger)).json()).toEqual({ cachedContents: [] })
  expect((await call('GET', '/v1beta/cachedContents/c1', stranger)).status).toBe(404)
})

test('a vendor is asked for what it keeps without the key of the caller, and for nothing else', async () => {
  const upstream = await scene.channel(({ path }) => Response.json({ id: path, data: [] }))
  await giveId(scene, 'response', 'resp_kept', upstream.id)
  await giveId(scene, 'conversation', 'conv_kept', upstream.id)
  const get = (path: string) => fetch(scene.app.url + path)
  for (const path of [
    '/v1/responses/resp_kept',
    '/v1/responses/resp_kept/input_items',
    '/v1/conversations/conv_kept',
  ]) {
    expect((await get(`${path}?include[]=a&key=${scene.key}&limit=2`)).status).toBe(200)
    expect(upstream.seen.at(-1)?.url.search).toBe('?include[]=a&limit=2')
  }
  const asked = upstream.seen.length
  const items = `/v1/conversations/conv_kept/items`
  for (const item of ['..%2F..%2F..%2Ffiles%2Ffile-x%2Fcontent', '..%5Cx', 'a%3Fb', '%00'])
    expect((await get(`${items}/${item}?key=${scene.key}`)).status).toBe(404)
  expect(upstream.seen).toHaveLength(asked)
  expect((await get(`${items}/msg_1?key=${scene.key}`)).status).toBe(200)
})

test('files the relay did not give out are unknown in every dialect', async () => {
  const upstream = await scene.channel(plain)
  const input = [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-x' }] }]
  expect((await respond({ input })).status).toBe(404)
  const messages = [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-x' } }] }]
  expect((await scene.chat({ messages })).status).toBe(404)
  const source = { type: 'file', file_id: 'file-x' }
  const blocks = [{ role: 'user', content: [{ type: 'document', source }] }]
  expect((await scene.post('/v1/messages', { model: 'gpt-4o', max_tokens: 5, messages: blocks })).status).toBe(404)
  expect(upstream.seen).toHaveLength(0)
})
