import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { chatAnswer, errorAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, type SceneChannel, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
/** The same chance in every scene and every run; what else draws in between moves a count by a few, not by 3 σ. */
let drawn = 0
const chance = spyOn(Math, 'random').mockImplementation(() => {
  drawn = (drawn + 0x6d2b79f5) | 0
  let mixed = Math.imul(drawn ^ (drawn >>> 15), 1 | drawn)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
})
beforeEach(() => {
  drawn = 20_261_116
})
beforeAll(async () => {
  scene = await startRelayScene({ quota: 1_000_000_000, tokenQuota: 1_000_000_000 })
})
afterEach(async () => {
  scene.app.time.now = null
  await scene.clear()
})
afterAll(async () => {
  chance.mockRestore()
  await scene.stop()
})

const good = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })
const explain = (model = 'gpt-4o') => scene.root.call(api.routing.explain, { model, user_id: scene.userId })

/** In each of ten scenes and one more. */
const requests = 500
const together = 20
let shown = 0

/** Sends many requests, each a conversation of its own, and counts what each channel got. */
async function send(channels: readonly SceneChannel[]): Promise<number[]> {
  const before = channels.map(({ seen }) => seen.length)
  for (let sent = 0; sent < requests; sent += together) {
    await Promise.all(
      Array.from({ length: together }, async () => {
        shown += 1
        const answer = await scene.chat({ messages: [{ role: 'user', content: `question ${shown}` }] })
        expect(answer.status).toBe(200)
        await answer.text()
      }),
    )
  }
  return channels.map(({ seen }, at) => seen.length - (before[at] ?? 0))
}

/** The shares lie within 3 σ of the probabilities, and whoever is out or in reserve is never asked. */
async function expectAgreement(channels: readonly SceneChannel[]) {
  const explained = await explain()
  const counts = await send(channels)
  const sum = explained.candidates.reduce((total, { probability }) => total + probability, 0)
  expect(sum).toBeCloseTo(1, 9)
  for (const [at, { id }] of channels.entries()) {
    const candidate = explained.candidates.find(({ channel_id }) => channel_id === id)
    const share = candidate?.probability ?? 0
    const spread = 3 * Math.sqrt(requests * share * (1 - share))
    expect(Math.abs((counts[at] ?? 0) - requests * share)).toBeLessThanOrEqual(spread)
    if (candidate?.state !== 'first') expect(counts[at]).toBe(0)
  }
  return explained
}

type Settings = NonNullable<Parameters<RelayScene['channel']>[1]>
const make = async (...settings: Settings[]) => {
  const channels: SceneChannel[] = []
  for (const more of settings) channels.push(await scene.channel(good, more))
  return channels
}
const states = ({ candidates }: Awaited<ReturnType<typeof explain>>, channels: readonly SceneChannel[]) =>
  channels.map(({ id }) => {
    const { state, reason } = candidates.find(({ channel_id }) => channel_id === id) ?? { state: '', reason: '' }
    return `${state}: ${reason}`
  })

describe('the explanation agrees with the relay', () => {
  test('on channels of different priority', async () => {
    const channels = await make({ priority: 5 }, { priority: 5 }, { priority: 1, weight: 100 })
    const found = states(await expectAgreement(channels), channels)
    expect(found[2]).toContain('reserve: lower priority')
  })

  test('on weights, with one channel in reserve', async () => {
    const channels = await make({ weight: 1 }, { weight: 3 }, { weight: 6 }, { weight: 0 })
    expect(states(await expectAgreement(channels), channels)[3]).toContain('reserve: no weight')
  })

  test('on channels without weights', async () => {
    await expectAgreement(await make({}, {}, {}, {}, {}))
  })

  test('on channels of other groups', async () => {
    const channels = await make({ group: 'default,vip' }, { group: 'vip', priority: 9 }, { group: 'default' })
    expect(states(await expectAgreement(channels), channels)[1]).toContain('out: serves other groups')
  })

  test('on a disabled channel', async () => {
    const channels = await make({}, { priority: 9 })
    await scene.root.call(api.channels.update, { id: channels[1]?.id ?? 0, status: 2 })
    expect(states(await expectAgreement(channels), channels)[1]).toBe('out: disabled')
  })

  test('on a resting channel', async () => {
    const slow = errorAnswer(429, { message: 'slow down' }, { 'retry-after': '250' })
    const resting = await scene.channel(slow, { priority: 9 })
    await scene.chat()
    const channels = [resting, ...(await make({ weight: 2 }, { weight: 1 }))]
    const explained = await expectAgreement(channels)
    expect(states(explained, channels)[0]).toContain('out: resting')
    const until = explained.candidates.find(({ channel_id }) => channel_id === resting.id)?.resting_until ?? 0
    expect(await scene.root.call(api.routing.resting, {})).toEqual([{ channel_id: resting.id, resting_until: until }])
    expect(until).toBeGreaterThan(Date.now() / 1000 + 200)
  })

  test('on a channel at its limit', async () => {
    const channels = await make({ priority: 9 }, {})
    const { database, changes } = scene.app.ctx
    await database.db
      .updateTable('channels')
      .set({ rpm: 1 })
      .where('id', '=', channels[0]?.id ?? 0)
      .execute()
    changes.emit({ topic: 'channels' })
    await scene.chat()
    await scene.chat()
    expect(states(await expectAgreement(channels), channels)[0]).toContain('out: at its limit')
  })

  test('on conversations that stay with their channel', async () => {
    await scene.option('StickyMinutes', 10)
    await expectAgreement(await make({ weight: 1 }, { weight: 1 }, { weight: 2 }))
  })

  test('on the strategy by cost', async () => {
    await scene.option('RoutingStrategy', '{"*":"weight","gpt-4o":"cost"}')
    const channels = await make({ weight: 9 }, { weight: 9 }, { priority: -1 })
    for (const [at, cost_ratio] of [0.9, 0.5, 0.1].entries())
      await scene.root.call(api.channels.update, { id: channels[at]?.id ?? 0, cost_ratio })
    const explained = await expectAgreement(channels)
    expect(explained.strategy).toBe('cost')
    expect(states(explained, channels)).toEqual([
      'reserve: dearer than the cheapest: asked when it fails',
      'first: the cheapest of the highest priority',
      'reserve: lower priority: asked when those before it fail',
    ])
    expect(explained.candidates[0]?.cost_usd).toBe(1.25)
  })

  test('on channels that cost the same, of which one has no weight', async () => {
    await scene.option('RoutingStrategy', '{"*":"cost"}')
    const channels = await make({ weight: 3 }, { weight: 0 })
    expect(states(await expectAgreement(channels), channels)).toEqual([
      'first: the cheapest of the highest priority',
      'reserve: no weight beside weighted channels: asked when they fail',
    ])
  })

  test('on the strategy by latency', async () => {
    await scene.option('RoutingStrategy', '{"*":"latency"}')
    const late = async (request: Parameters<typeof good>[0]) => {
      await Bun.sleep(1500)
      return good(request)
    }
    const channels = [await scene.channel(late), await scene.channel(good)]
    while (channels.some(({ seen }) => seen.length === 0)) await scene.chat()
    const explained = await expectAgreement(channels)
    expect(states(explained, channels)[0]).toContain('reserve: slower')
  })

  test('on fallbacks: the fallback model is explained like any other', async () => {
    await scene.option('ModelRatio', '{"gpt-4o":1,"other":1}')
    await scene.option('ModelFallbacks', '{"gpt-4o":["other"]}')
    const channels = await make({ models: 'other', weight: 1 }, { models: 'other', weight: 4 })
    expect(await explain()).toMatchObject({ candidates: [], fallbacks: ['other'] })
    const { candidates } = await explain('other')
    const counts = await send(channels)
    for (const [at, { id }] of channels.entries()) {
      const share = candidates.find(({ channel_id }) => channel_id === id)?.probability ?? 0
      expect(Math.abs((counts[at] ?? 0) - requests * share)).toBeLessThanOrEqual(
        3 * Math.sqrt(requests * share * (1 - share)),
      )
    }
  })
})

test('without a price all are out', async () => {
  const channels = await make({ models: 'no-such-price' })
  const explained = await explain('no-such-price')
  expect(explained.price).toBeNull()
  expect(explained.candidates).toMatchObject([{ channel_id: channels[0]?.id, state: 'out', probability: 0 }])
  expect(explained.candidates[0]?.reason).toContain('price')
})

test('it can be asked for a token, a user or a group', async () => {
  const [channel] = await make({ group: 'vip' })
  expect((await explain()).candidates[0]).toMatchObject({ state: 'out' })
  const asGroup = await scene.root.call(api.routing.explain, { model: 'gpt-4o', group: 'vip' })
  expect(asGroup).toMatchObject({ price: { input_usd: 2, output_usd: 8 }, groups: ['vip'] })
  expect(asGroup.candidates).toMatchObject([{ channel_id: channel?.id, state: 'first', probability: 1 }])
  await scene.user.call(api.tokens.update, { id: scene.tokenId, models: 'another' })
  const asToken = await scene.root.call(api.routing.explain, { model: 'gpt-4o', token_id: scene.tokenId })
  expect(asToken.candidates[0]?.state).toBe('out')
  await scene.option('ModelFallbacks', '{"gpt-4o":["another"]}')
  expect((await scene.root.call(api.routing.explain, { model: 'gpt-4o', token_id: scene.tokenId })).fallbacks).toEqual(
    [],
  )
  expect((await scene.chat()).status).toBe(403)
  expect((await explain()).fallbacks).toEqual(['another'])
  await scene.option('ModelFallbacks', '{}')
  await scene.user.call(api.tokens.update, { id: scene.tokenId, models: '' })
  const refused = [{ token_id: 9999 }, { user_id: 9999 }, { user_id: 1, group: 'vip' }, { model: ' ' }]
  for (const wish of refused)
    expect((await scene.root.raw(api.routing.explain, { model: 'gpt-4o', ...wish })).success).toBe(false)
  expect((await scene.user.raw(api.routing.explain, { model: 'gpt-4o' })).status).toBe(403)
})

test('the reasons of a request stand with its row', async () => {
  const [one, two] = await make({ priority: 1 }, { group: 'vip' })
  await scene.chat()
  const { rows } = await scene.books()
  const detail = await scene.root.call(api.logs.request, { request_id: rows[0]?.request_id ?? '' })
  expect(detail.candidates).toEqual([
    { channel_id: one?.id ?? 0, state: 'first', reason: 'the only one of the highest priority' },
    { channel_id: two?.id ?? 0, state: 'out', reason: 'serves other groups' },
  ])
})

test('the row says why a channel was no candidate, and that the caller named another', async () => {
  const mapping = '{"alias":"gpt-4o"}'
  const [one, two] = await make({ models: 'alias', model_mapping: mapping }, { models: 'alias' })
  const reasons = async () => {
    const { rows } = await scene.books()
    const { candidates } = await scene.root.call(api.logs.request, { request_id: rows[0]?.request_id ?? '' })
    return candidates.map(({ channel_id, reason }) => [channel_id, reason])
  }
  await (await scene.chat({ model: 'alias' })).text()
  expect(await reasons()).toEqual([
    [one?.id ?? 0, 'the only one of the highest priority'],
    [two?.id ?? 0, 'the model has no price through it'],
  ])
  await scene.root.call(api.users.manage, { username: 'ann', action: 'promote' })
  const headers = { authorization: `Bearer ${scene.key}-${one?.id}` }
  await (await scene.chat({ model: 'alias' }, { headers })).text()
  expect(await reasons()).toEqual([[one?.id ?? 0, 'the caller named it']])
  await scene.root.call(api.users.manage, { username: 'ann', action: 'demote' })
})

test('the length of the prompt and what it needs are held against the model', async () => {
  await make({ models: 'gemini-2.5-pro,gpt-4o' })
  const ask = (more: object) => scene.root.call(api.routing.explain, { model: 'gemini-2.5-pro', ...more })
  expect(await ask({})).toMatchObject({ lacking: [], context_exceeded: null, prompt_quota: null, not_carrying: 0 })
  const short = await ask({ prompt_tokens: 1000, needs: ['tools', 'image'] })
  expect(short).toMatchObject({ lacking: [], prompt_quota: 625, price: { input_usd: 1.25 } })
  const long = await ask({ prompt_tokens: 2_000_000 })
  expect(long).toMatchObject({ context_exceeded: 1_048_576, prompt_quota: 2_500_000, price: { input_usd: 2.5 } })
  const unable = await scene.root.call(api.routing.explain, { model: 'gpt-4o', needs: ['video', 'tools'] })
  expect(unable.lacking).toEqual(['video'])
})
