import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { newestOpenai } from '#server/testing/doubles/newest-openai.ts'
import { expectCharge, expectUntouched } from '#server/testing/expect-charge.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { doubleCharge } from '#server/testing/vendor-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }]
const azureOf = (model: string, other: string, priority = 0) =>
  scene.channel(newestOpenai, { type: 3, other, priority, model_mapping: JSON.stringify({ 'gpt-4o': model }) })

test.each(['v1', 'preview'])('Azure with the version "%s" has responses', async (other) => {
  const channel = await azureOf('gpt-6.1-sol', other)
  expectCharge(await scene.bill(() => scene.chat({ tools })), doubleCharge)
  expect(channel.seen.map(({ path }) => path)).toEqual(['/openai/v1/responses'])
  expect(channel.seen[0]?.body).toMatchObject({ model: 'gpt-6.1-sol', store: false })
})

describe('Azure with an older version has chat alone', () => {
  const older = '2025-04-01-preview'
  const reason = 'the model takes these tools in an API the channel does not have'

  test.each([
    ['gpt-6-sol', {}, 'none'],
    ['gpt-6-sol', { reasoning_effort: 'none' }, 'none'],
    ['gpt-5.5', {}, undefined],
    ['gpt-5', { reasoning_effort: 'low' }, 'low'],
  ])('%s with tools and %j is sent with the effort %p', async (model, effort, sent) => {
    const channel = await azureOf(model, older)
    expectCharge(await scene.bill(() => scene.chat({ tools, ...effort })), doubleCharge)
    expect(channel.seen).toHaveLength(1)
    expect(channel.seen[0]?.path).toBe(`/openai/deployments/${model.replaceAll('.', '')}/chat/completions`)
    expect(channel.seen[0]?.body.reasoning_effort).toBe(sent)
  })

  test('which is said to clients of messages too', async () => {
    const channel = await azureOf('gpt-6-sol', older)
    const bill = await scene.bill(() =>
      scene.post('/v1/messages', {
        model: 'gpt-4o',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'hi' }],
        tools: [{ name: 'weather', input_schema: { type: 'object', properties: {} } }],
      }),
    )
    expectCharge(bill, doubleCharge)
    expect(channel.seen[0]?.body.reasoning_effort).toBe('none')
  })

  test.each([
    ['gpt-6-sol', 'low'],
    ['gpt-5.4', 'high'],
    ['gpt-6-astra', undefined],
    ['gpt-6.1-sol', 'none'],
  ])('and is no candidate for %s with tools and the effort %p', async (model, effort) => {
    const dated = await azureOf(model, older, 9)
    const body = { tools, ...(effort === undefined ? {} : { reasoning_effort: effort }) }
    expectUntouched(
      await scene.bill(async () => {
        const response = await scene.chat(body)
        expect(response.status).toBe(503)
        expect(await response.text()).toContain('no_available_channel')
      }),
    )
    const newer = await azureOf(model, 'v1', 1)
    const bill = await scene.bill(() => scene.chat(body))
    expectCharge(bill, doubleCharge)
    expect(dated.seen).toEqual([])
    expect(newer.seen).toHaveLength(1)
    const row = await scene.root.call(api.logs.request, { request_id: bill.rows[0]?.request_id ?? '' })
    expect(row.candidates).toContainEqual({ channel_id: dated.id, state: 'out', reason })
    const { candidates } = await scene.root.call(api.routing.explain, {
      model: 'gpt-4o',
      needs: ['tools'],
      ...(effort === undefined ? {} : { effort: effort as 'low' }),
    })
    expect(candidates).toMatchObject([
      { channel_id: newer.id, state: 'first', api: 'responses' },
      {
        channel_id: dated.id,
        state: 'out',
        reason,
        api: null,
      },
    ])
    await scene.chat()
    expect(dated.seen).toHaveLength(1)
  })
})

test('the explanation says which API is asked and why', async () => {
  const channel = await scene.channel(newestOpenai, { models: 'gpt-4o,gpt-6-sol' })
  await scene.channel(newestOpenai, { models: 'gpt-4o', type: 14 })
  const explain = async (model: string, more: object) => {
    const { candidates } = await scene.root.call(api.routing.explain, { model, ...more })
    return candidates.map((candidate) => `${candidate.api}: ${candidate.api_reason}`)
  }
  expect(await explain('gpt-4o', { needs: ['tools'] })).toEqual(['chat: the model takes these tools in chat', 'null: '])
  await scene.option('ModelRatio', '{"gpt-4o":1,"gpt-6-sol":1}')
  expect(await explain('gpt-6-sol', { needs: ['tools'] })).toEqual([
    'responses: the model takes these tools in responses alone',
  ])
  expect(await explain('gpt-6-sol', { needs: ['tools'], effort: 'none' })).toEqual([
    'chat: the model takes these tools in chat',
  ])
  expect(await explain('gpt-6-sol', {})).toEqual(['chat: no tools: chat is the usual API'])
  expect(channel.seen).toEqual([])
})
