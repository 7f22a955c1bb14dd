import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { newestOpenai } from '#server/testing/doubles/newest-openai.ts'
import { expectCharge, expectUntouched } from '#server/testing/expect-charge.ts'
import type { Behaviour } from '#server/testing/fake-upstream.ts'
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

const served =
  (more: object): Behaviour =>
  async (request) => {
    const answer = (await (await newestOpenai(request)).json()) as object
    return Response.json({ ...answer, ...more })
  }
const channelOf = (model: string, more: object) =>
  scene.channel(served(more), { model_mapping: JSON.stringify({ 'gpt-4o': model }) })
const ask = { service_tier: 'ultrafast', max_tokens: 100 }

describe('a request that is to be served ultrafast', () => {
  test.each([
    ['ultrafast', 6],
    ['default', 1],
    ['priority', 2],
    [undefined, 6],
  ])('goes to responses, is reserved six times and costs what it was served at: %p', async (service_tier, times) => {
    const channel = await channelOf('gpt-6-astra', service_tier === undefined ? {} : { service_tier })
    const reserves: number[] = []
    for (const more of [{ service_tier: 'priority' }, ask]) {
      const bill = await scene.bill(async () => {
        const response = await scene.chat({ max_tokens: 100, ...more })
        expect(response.status, await response.text()).toBe(200)
      })
      const row = await scene.root.call(api.logs.request, { request_id: bill.rows[0]?.request_id ?? '' })
      reserves.push(row.reserve)
      if (more === ask) expectCharge(bill, times * doubleCharge)
    }
    expect(channel.seen.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/responses'])
    expect(channel.seen[1]?.body).toMatchObject({ service_tier: 'ultrafast', store: false })
    // Twice for priority.
    expect(reserves[1]).toBe(3 * (reserves[0] ?? 0))
  })

  test('of the responses API costs the same', async () => {
    const channel = await channelOf('gpt-6.1-sol', { service_tier: 'ultrafast' })
    const body = { model: 'gpt-4o', input: 'hi', service_tier: 'ultrafast' }
    expectCharge(await scene.bill(() => scene.post('/v1/responses', body)), 6 * doubleCharge)
    expect(channel.seen).toHaveLength(1)
  })

  test.each(['gpt-6-sol', 'gpt-5.5', 'gpt-4o'])('is refused for %s, which is not sold so', async (model) => {
    const channel = await channelOf(model, {})
    const bill = await scene.bill(async () => {
      const response = await scene.chat(ask)
      expect(response.status).toBe(400)
      expect(await response.text()).toContain('service_tier ultrafast')
    })
    expectUntouched(bill)
    expect(channel.seen).toEqual([])
  })
})

test('what is written to a cache for half a day costs more than what is written for half an hour', async () => {
  const usage = {
    input_tokens: 100,
    input_tokens_details: {
      cached_tokens: 10,
      cache_write_tokens: 60,
      cache_write_tokens_details: { ttl_30m_tokens: 40, ttl_12h_tokens: 20 },
    },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 3 },
    total_tokens: 105,
  }
  const tools = [{ type: 'function', function: { name: 'weather' } }]
  await channelOf('gpt-6.1-sol', { usage })
  const bill = await scene.bill(async () => {
    const answer = await (await scene.chat({ tools })).json()
    expect(answer).toMatchObject({
      usage: {
        prompt_tokens: 100,
        completion_tokens: 5,
        total_tokens: 105,
        prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    })
  })
  expect(bill.rows).toHaveLength(1)
  const parts = (JSON.parse(bill.rows[0]?.detail ?? '{}') as { charge: { parts: object[] } }).charge.parts
  expect(parts).toMatchObject([
    { of: 'input', tokens: 30 },
    { of: 'output', tokens: 2 },
    { of: 'cacheRead', tokens: 10 },
    { of: 'cacheWrite', tokens: 40 },
    { of: 'cacheWriteLong', tokens: 20 },
    { of: 'reasoning', tokens: 3 },
  ])
})
