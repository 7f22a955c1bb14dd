import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { lastHold } from '#server/testing/last-hold.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const balance = (quota: number) => scene.root.call(api.users.update, { id: scene.userId, quota })

/** Asks a model that costs one a token; what was held, and what its vendor was sent. */
async function ask(type: number, model: string, body: object, more: { path?: string; other?: string } = {}) {
  const { path = '/v1/chat/completions', other = '' } = more
  await scene.option('ModelRatio', `{"${model}": 1}`)
  await scene.option('CompletionRatio', `{"${model}": 1}`)
  const channel = await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }), {
    type,
    models: model,
    other,
  })
  const answer = await scene.post(path, { model, messages: [{ role: 'user', content: 'hi' }], ...body })
  const sent: Record<string, unknown> = channel.seen[0]?.body ?? {}
  return { status: answer.status, held: await lastHold(scene), sent }
}

const dashscope = 17
const ark = 39

describe('thoughts beside the limit of an answer are held', () => {
  test.each([
    [dashscope, 'qwen3.7-plus', {}, 262_144],
    [dashscope, 'qwen3.6-plus', {}, 81_920],
    [dashscope, 'qwen3-max', { enable_thinking: true }, 81_920],
    [dashscope, 'qwen3-max', { reasoning_effort: 'high' }, 81_920],
    [dashscope, 'qwen3.7-plus', { thinking_budget: 2000 }, 2000],
    [ark, 'doubao-seed-1-6', {}, 65_536],
  ])('of channel type %d: %s with %j', async (type, model, more, thoughts) => {
    const { held, sent } = await ask(type, model, { max_tokens: 100, ...more })
    expect(held).toBeGreaterThanOrEqual(thoughts + 100)
    expect(held).toBeLessThan(thoughts + 200)
    expect(sent.thinking_budget).toBe('thinking_budget' in more ? more.thinking_budget : undefined)
  })

  test.each([
    [dashscope, 'qwen3.7-plus', { enable_thinking: false }],
    [dashscope, 'qwen3.7-plus', { reasoning_effort: 'none' }],
    [dashscope, 'qwen3-max', {}],
    [dashscope, 'qwen3-max', { enable_thinking: null, reasoning_effort: null }],
    [dashscope, 'qwen3-coder-plus', {}],
    [ark, 'doubao-seed-1-6', { thinking: { type: 'disabled' } }],
    [ark, 'doubao-1-5-pro-32k', {}],
    [1, 'qwen3.7-plus', {}],
  ])('but not of channel type %d: %s with %j', async (type, model, more) => {
    expect((await ask(type, model, { max_tokens: 600, ...more })).held).toBeLessThan(700)
  })

  test('also of a message in the words of Claude', async () => {
    const { held } = await ask(dashscope, 'qwen3.7-plus', { max_tokens: 100 }, { path: '/v1/messages' })
    expect(held).toBeGreaterThanOrEqual(262_144 + 100)
    const thinking = { type: 'disabled' }
    const calm = await ask(dashscope, 'qwen3.7-plus', { max_tokens: 600, thinking }, { path: '/v1/messages' })
    expect(calm.held).toBeLessThan(700)
  })

  test('of a model that researches, as many as it can hold', async () => {
    await scene.option('PreConsumedQuota', 0)
    expect((await ask(36, 'sonar-deep-research', { max_tokens: 100 })).held).toBeGreaterThan(2 * 128_000)
  })

  test.each(['grok-4.20-multi-agent-beta-0309', 'x-ai/grok-4.20-multi-agent'])(
    'of the agents of %s, which think and read each for itself',
    async (model) => {
      expect((await ask(1, model, { max_tokens: 100 })).held).toBeGreaterThan(2_000_000)
    },
  )
})

describe('on a small balance Alibaba is sent a budget for thoughts', () => {
  const sum = ({ max_tokens, thinking_budget }: Record<string, unknown>) => Number(max_tokens) + Number(thinking_budget)

  test.each([
    ['half of what can be paid', {}, 5000],
    ['all that a short answer leaves', { max_tokens: 100 }, 9800],
    ["the client's own, where that is less", { thinking_budget: 300 }, 300],
    ['less than the client wishes', { thinking_budget: 50_000 }, 5000],
  ])('%s', async (_, more, budget) => {
    await balance(10_138)
    const { held, sent } = await ask(dashscope, 'qwen3.7-plus', more)
    await balance(100_000_000)
    expect(held).toBe(10_138)
    expect(sum(sent)).toBeLessThanOrEqual(10_138 - 10)
    expect(sent.thinking_budget).toBeGreaterThan(budget * 0.97)
    expect(sent.thinking_budget).toBeLessThanOrEqual(budget * 1.03)
  })

  test('in its own words where it is asked in them', async () => {
    await balance(10_138)
    const { sent } = await ask(dashscope, 'qwen3.7-plus', {}, { other: 'calculator' })
    await balance(100_000_000)
    expect(sum(sent.parameters as Record<string, unknown>)).toBeLessThanOrEqual(10_138 - 10)
  })

  test('and nobody is asked where not even short thoughts can be paid', async () => {
    await balance(1500)
    expect((await ask(dashscope, 'qwen3.7-plus', {})).status).toBe(402)
    expect((await ask(dashscope, 'qwen3.7-plus', { enable_thinking: false })).status).toBe(200)
    await balance(100_000_000)
  })
})
