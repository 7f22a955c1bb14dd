import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { expectCharge } from '#server/testing/expect-charge.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { startRawUpstream } from '#server/testing/raw-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { startSocksServer } from '#server/testing/socks-server.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const good = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })

test("a channel's headers are sent, and the credentials cannot be replaced by them", async () => {
  const channel = await scene.channel(good, { key: 'the-key' })
  await scene.root.call(api.channels.update, { id: channel.id, headers: '{"X-Team":"blue","user-agent":"ours"}' })
  expectCharge(await scene.bill(() => scene.chat()), 30)
  const sent = channel.seen[0]?.headers
  expect(sent?.get('x-team')).toBe('blue')
  expect(sent?.get('user-agent')).toContain('ours')
  expect(sent?.get('authorization')).toBe('Bearer the-key')
})

test('overrides set, fill in and remove top-level fields', async () => {
  const channel = await scene.channel(good)
  const overrides = {
    set: { temperature: 0.5, max_tokens: 1000 },
    default: { top_p: 0.9, seed: 7 },
    remove: ['user'],
  }
  await scene.root.call(api.channels.update, { id: channel.id, overrides: JSON.stringify(overrides) })
  await scene.chat({ temperature: 1, seed: 3, user: 'ann', max_tokens: 20 })
  const { body } = channel.seen[0] ?? {}
  expect(body).toMatchObject({ model: 'gpt-4o', temperature: 0.5, top_p: 0.9, seed: 3, max_tokens: 20 })
  expect(body).not.toHaveProperty('user')
})

describe('overrides neither raise nor take away what the answer is held for', () => {
  const small = 8138
  const sent = async (type: number, path: string, overrides: object, ask: object) => {
    const channel = await scene.channel(good, { type })
    const { db } = scene.app.ctx.database
    await scene.root.call(api.channels.update, { id: channel.id, overrides: '{"set":{"x":1}}' })
    // As a version before may have kept it.
    await db
      .updateTable('channels')
      .set({ overrides: JSON.stringify(overrides) })
      .where('id', '=', channel.id)
      .execute()
    await scene.root.call(api.channels.update, { id: channel.id, weight: 7 })
    await scene.root.call(api.users.update, { id: scene.userId, quota: small })
    await scene.post(path, ask)
    return channel.seen[0]?.body
  }
  const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]

  test.each([
    [{ set: { max_tokens: 1_000_000 } }],
    [{ remove: ['max_tokens'] }],
    [{ set: { max_completion_tokens: 1_000_000 } }],
    [{ default: { max_output_tokens: 1_000_000 } }],
    [{ set: { options: { num_predict: 1_000_000 } } }],
  ])('in a chat: %j', async (overrides) => {
    const body = await sent(1, '/v1/chat/completions', overrides, chat)
    expect(body?.max_tokens).toBe(2000)
    expect(JSON.stringify(body)).not.toContain('1000000')
  })

  test.each([
    [{ set: { generationConfig: { maxOutputTokens: 1_000_000, candidateCount: 8, topK: 3 } } }],
    [{ remove: ['generationConfig'] }],
    [{ default: { generation_config: { maxOutputTokens: 1_000_000, candidateCount: 8 } } }],
  ])("in Gemini's words: %j", async (overrides) => {
    const body = await sent(24, '/v1beta/models/gpt-4o:generateContent', overrides, { contents })
    expect(body?.generationConfig).toMatchObject({ maxOutputTokens: expect.any(Number) })
    expect(JSON.stringify(body)).not.toMatch(/1000000|andidate/)
  })
})

describe('a proxy', () => {
  test('carries requests, tests and lists of models', async () => {
    const proxy = startSocksServer('ann:secret')
    const channel = await scene.channel([good, good, () => Response.json({ data: [{ id: 'gpt-4o' }, { id: 'new' }] })])
    await scene.root.call(api.channels.update, { id: channel.id, proxy: proxy.url, key: 'k' })
    expectCharge(await scene.bill(() => scene.chat()), 30)
    await scene.root.call(api.channels.test, { id: channel.id })
    expect(await scene.root.call(api.channels.fetchModels, { id: channel.id })).toEqual({
      models: ['gpt-4o', 'new'],
      new: ['new'],
      gone: [],
    })
    expect(proxy.asked).toHaveLength(3)
    expect(channel.seen).toHaveLength(3)
    proxy.stop()
  })

  test.each([
    [
      'asks for a password',
      () => startRawUpstream((socket) => socket.end(`HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n`)),
    ],
    ['has another password', () => startSocksServer('ann:right')],
  ])('that %s leads to the next channel, and the channel says that it was the proxy', async (_, start) => {
    const proxy = start()
    const [behind, other] = [await scene.channel(good, { priority: 1 }), await scene.channel(good)]
    const address = proxy.url.replace('right', 'wrong')
    await scene.root.call(api.channels.update, { id: behind.id, key: 'k', proxy: address })
    await scene.option('RetryTimes', 1)
    expectCharge(await scene.bill(() => scene.chat()), 30)
    expect(other.seen).toHaveLength(1)
    const tested = await scene.root.raw(api.channels.test, { id: behind.id })
    expect(tested.message).toContain('through the proxy')
    const listed = await scene.root.raw(api.channels.fetchModels, { id: behind.id })
    expect(listed.message).toContain('through the proxy')
    expect(behind.seen).toEqual([])
    proxy.stop()
  })

  test('that is not there is named in the fault of the channel', async () => {
    const channel = await scene.channel(good)
    await scene.root.call(api.channels.update, { id: channel.id, key: 'k', proxy: 'http://127.0.0.1:1' })
    expect(await (await scene.chat()).text()).toContain('through the proxy')
    const listed = await scene.root.raw(api.channels.fetchModels, { id: channel.id })
    expect(listed.message).toContain('through the proxy')
  })

  test('that refuses is a fault of the channel that names neither proxy nor password', async () => {
    const proxy = startSocksServer('ann:right')
    const channel = await scene.channel(good)
    await scene.root.call(api.channels.update, {
      id: channel.id,
      key: 'k',
      proxy: proxy.url.replace('right', 'wrong'),
    })
    const answer = await scene.chat()
    expect(answer.status).toBe(502)
    expect(await answer.text()).not.toMatch(/wrong|127\.0\.0\.1/)
    expect(channel.seen).toEqual([])
    proxy.stop()
  })
})

describe("a provider's list", () => {
  const listing = (ids: string[]) => () => Response.json({ data: ids.map((id) => ({ id })) })

  test('is compared with the channel, and can be asked for before there is one', async () => {
    const channel = await scene.channel(listing(['gpt-4o', ' gpt-9 ', ' ', '']), { models: 'gpt-4o,old' })
    const found = { models: ['gpt-4o', 'gpt-9'], new: ['gpt-9'], gone: ['old'] }
    expect(await scene.root.call(api.channels.fetchModels, { id: channel.id })).toEqual(found)
    expect(channel.seen[0]?.path).toBe('/v1/models')
    const draft = { type: 8, key: 'k-1\nk-2', base_url: channel.url }
    const all = ['gpt-4o', 'gpt-9']
    expect(await scene.root.call(api.channels.fetchModelsOf, draft)).toEqual({ models: all, new: all, gone: [] })
    expect(channel.seen[1]?.headers.get('authorization')).toBe('Bearer k-1')
  })

  test('is asked for with a key of the pool that is not dead', async () => {
    const isDead = (headers: Headers) => headers.get('authorization') === 'Bearer dead'
    const channel = await scene.channel(({ headers }) =>
      isDead(headers) ? Response.json({}, { status: 401 }) : listing(['gpt-4o'])(),
    )
    await scene.root.call(api.channels.update, { id: channel.id, key: 'dead\nalive', pool: true })
    const found = { models: ['gpt-4o'], new: [], gone: [] }
    for (let turn = 0; turn < 2; turn++)
      expect(await scene.root.call(api.channels.fetchModels, { id: channel.id })).toEqual(found)
  })

  test.each([
    ['of 10,000 names', listing(Array.from({ length: 10_000 }, (_, at) => `m-${at}`)), 'it names 10000 models'],
    ['that is none', () => new Response('<html>'), 'did not answer with a list'],
    ['that is refused', () => Response.json({}, { status: 401 }), 'status 401'],
  ])('%s is refused', async (_, behaviour, message) => {
    const channel = await scene.channel(behaviour)
    const answer = await scene.root.raw(api.channels.fetchModels, { id: channel.id })
    expect(answer).toMatchObject({ status: 200, success: false })
    expect(answer.message).toContain(message)
  })

  test('of Cloudflare is that of the account, page by page', async () => {
    const names = Array.from({ length: 101 }, (_, at) => `@cf/some/model-${at}`)
    const channel = await scene.channel(({ url }) => {
      const page = Number(url.searchParams.get('page'))
      return Response.json({ result: names.slice((page - 1) * 100, page * 100).map((name) => ({ id: 'x', name })) })
    })
    const draft = { type: 41, key: 'k', base_url: channel.url, other: 'my account' }
    expect((await scene.root.call(api.channels.fetchModelsOf, draft)).models.toSorted()).toEqual(names.toSorted())
    expect(channel.seen.map(({ path }) => path)).toEqual(
      Array(2).fill('/client/v4/accounts/my%20account/ai/models/search'),
    )
  })

  test('of a provider without one is refused', async () => {
    const answer = await scene.root.raw(api.channels.fetchModelsOf, { type: 18, key: 'a|b|c' })
    expect(answer.code).toBe('channel.models_unsupported')
  })
})

test('the test asks the model the channel names', async () => {
  const channel = await scene.channel(good, { models: 'gpt-4o,gpt-4o-mini' })
  await scene.root.call(api.channels.update, { id: channel.id, test_model: 'gpt-4o-mini' })
  expect(await scene.root.call(api.channels.test, { id: channel.id })).toMatchObject({ model: 'gpt-4o-mini' })
})
