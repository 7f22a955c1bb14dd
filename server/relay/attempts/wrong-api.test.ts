import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { newestOpenai, refusedTools } from '#server/testing/doubles/newest-openai.ts'
import { expectCharge } from '#server/testing/expect-charge.ts'
import type { Behaviour } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { doubleCharge } from '#server/testing/vendor-scene.ts'
import { api } from '#shared/api/all.ts'

const hour = 3_600_000
let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(async () => {
  scene.app.time.now = null
  await scene.clear()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }]
const chat = '/v1/chat/completions'
const responses = '/v1/responses'

const from = Date.now()
const setTime = (passedMs: number): void => {
  scene.app.time.now = from + passedMs
}

type Channel = Awaited<ReturnType<RelayScene['channel']>>
const pathsOf = ({ seen }: Channel): string[] => seen.splice(0).map(({ path }) => path)
const channelOf = (behaviour: Behaviour, model: string, more: object = {}): Promise<Channel> =>
  scene.channel(behaviour, { model_mapping: JSON.stringify({ 'gpt-4o': model }), ...more })

async function pays(body: object, path = chat): Promise<void> {
  const bill = await scene.bill(async () => {
    const response = await scene.post(path, {
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'hi' }],
      ...body,
    })
    const text = await response.text()
    expect(response.status, text).toBe(200)
    expect(text).toContain('gpt-4o')
  })
  expectCharge(bill, doubleCharge)
}

/** Refuses responses as a server without them would. */
const withoutResponses =
  (status: number, body: object | string): Behaviour =>
  (request) =>
    request.path === responses
      ? typeof body === 'string'
        ? new Response(body, { status })
        : Response.json(body, { status })
      : newestOpenai({ ...request, body: { ...request.body, model: 'gpt-4o' } })

describe('a model that refuses tools in chat and is in no row', () => {
  test('is asked once more by responses: one charge, one row, no retry and no fault of the channel', async () => {
    const channel = await channelOf(newestOpenai, 'gpt-9-new')
    await pays({ tools })
    expect(pathsOf(channel)).toEqual([chat, responses])
    const { rows } = await scene.books()
    expect(rows[0]?.tried).toBe(String(channel.id))
    const row = await scene.root.call(api.logs.request, { request_id: rows[0]?.request_id ?? '' })
    expect(row.tries).toMatchObject([{ channel: channel.id, fault: null }])
    const listed = await scene.root.call(api.channels.get, { id: channel.id })
    expect(listed.status).toBe(1)
    const { candidates } = await scene.root.call(api.routing.explain, { model: 'gpt-4o', needs: ['tools'] })
    expect(candidates).toMatchObject([
      { state: 'first', api: 'responses', api_reason: 'the vendor said so less than an hour ago' },
    ])
  })

  test('is asked by responses for an hour when there are tools, and by chat when there are none', async () => {
    setTime(0)
    const channel = await channelOf(newestOpenai, 'gpt-9-new')
    await pays({ tools })
    pathsOf(channel)
    await pays({ tools, stream: true })
    await pays({})
    setTime(hour - 1)
    await pays({ tools })
    expect(pathsOf(channel)).toEqual([responses, chat, responses])
    setTime(hour)
    await pays({ tools })
    expect(pathsOf(channel)).toEqual([chat, responses])
  })

  test('is remembered for its channel and its model alone', async () => {
    const channel = await channelOf(newestOpenai, 'gpt-9-new', { models: 'gpt-4o', priority: 2 })
    await pays({ tools })
    await scene.root.call(api.channels.update, { id: channel.id, model_mapping: '{"gpt-4o":"gpt-9-other"}' })
    pathsOf(channel)
    await pays({ tools })
    expect(pathsOf(channel)).toEqual([chat, responses])
  })

  test('is refused by name where the request has a field that responses lack', async () => {
    const channel = await channelOf(newestOpenai, 'gpt-9-new')
    const response = await scene.chat({ tools, stop: ['x'] })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'unsupported_value', param: 'stop' } })
    expect(pathsOf(channel)).toEqual([chat])
  })

  test('that refuses responses too is asked no third time', async () => {
    const channel = await channelOf(
      ({ path }) =>
        path === chat
          ? Response.json(
              { error: { message: refusedTools('gpt-9-new'), param: 'reasoning_effort', type: 'x' } },
              { status: 400 },
            )
          : Response.json({ error: { message: 'Not Found' } }, { status: 404 }),
      'gpt-9-new',
    )
    const bill = await scene.bill(async () => {
      expect((await scene.chat({ tools })).status).toBe(404)
    })
    expect(bill).toMatchObject({ user: 0, holds: 0 })
    expect(bill.rows).toHaveLength(1)
    await scene.chat({ tools })
    expect(pathsOf(channel)).toEqual([chat, responses, chat, responses])
  })
})

test.each([
  ['another field', { message: refusedTools('gpt-9-new'), param: 'tools' }],
  ['other words', { message: 'Function tools are not supported in /v1/chat/completions.', param: 'reasoning_effort' }],
])('a 400 about %s goes to the client as it is', async (_, error) => {
  const channel = await channelOf(() => Response.json({ error }, { status: 400 }), 'gpt-9-new')
  const response = await scene.chat({ tools })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(error.message)
  expect(pathsOf(channel)).toEqual([chat])
})

describe('a server without responses', () => {
  test.each([
    [404, { detail: 'Not Found' }],
    [404, 'nginx'],
    [404, { error: { message: 'Unknown request URL: POST /v1/responses', code: 'unknown_url' } }],
    [404, { error: { message: 'Invalid URL (POST /v1/responses)', type: 'invalid_request_error', code: null } }],
    [405, { detail: 'Method Not Allowed' }],
    [400, { error: { message: 'Not here.', code: 'unsupported_endpoint' } }],
  ])('answers %i %j and is asked once more by chat, then by chat for an hour', async (status, body) => {
    for (const type of [1, 8]) {
      setTime(0)
      const channel = await channelOf(withoutResponses(status, body), 'gpt-6-sol', { type })
      await pays({ tools })
      await pays({ tools })
      expect(pathsOf(channel)).toEqual([responses, chat, chat])
      setTime(hour)
      await pays({ tools })
      expect(pathsOf(channel)).toEqual([responses, chat])
      await scene.clear()
    }
  })

  test('that does not know the model is not asked again', async () => {
    const error = { message: 'The model `gpt-6-sol` does not exist.', code: 'model_not_found', param: null }
    const channel = await channelOf(withoutResponses(404, { error }), 'gpt-6-sol')
    expect((await scene.chat({ tools })).status).toBe(404)
    expect(pathsOf(channel)).toEqual([responses])
  })
})
