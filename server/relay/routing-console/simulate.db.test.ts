import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { type Behaviour, chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 1_000_000_000, tokenQuota: 1_000_000_000 })
})
afterEach(async () => {
  scene.app.time.now = null
  await scene.clear()
  await scene.app.ctx.database.db.deleteFrom('logs').where('type', '=', 2).execute()
})
afterAll(() => scene.stop())

const good = chatAnswer('hello', { prompt_tokens: 1000, completion_tokens: 100 })

/** `gpt-4o` sells at $2 and $8 a million, and is listed at $2.50 and $10: 1,400 quota a request that cost 1,750. */
async function traffic(count: number) {
  const now = () => Math.floor(scene.app.ctx.clock() / 1000)
  const from = now()
  for (let sent = 0; sent < count; sent++) await (await scene.chat()).text()
  return { from, to: now() + 1 }
}

test('a draft without changes gives the figures of today', async () => {
  const one = await scene.channel(good, { weight: 1 })
  const two = await scene.channel(good, { weight: 3 })
  const time = await traffic(8)
  const { channels, total, unserved } = await scene.root.call(api.routing.simulate, { ...time, channels: [] })
  expect(unserved).toEqual([])
  for (const { now, then } of [...channels, total]) expect(then).toEqual(now)
  expect(total.now).toEqual({ requests: 8, quota: 11_200, cost: 14_000, profit: -2800 })
  const of = (id: number) => channels.find(({ channel_id }) => channel_id === id)?.now
  expect(of(one.id)).toEqual({ requests: 2, quota: 2800, cost: 3500, profit: -700 })
  expect(of(two.id)).toEqual({ requests: 6, quota: 8400, cost: 10_500, profit: -2100 })
})

test('a changed weight, price and cost ratio give the figures computed by hand', async () => {
  const one = await scene.channel(good, { weight: 1 })
  const two = await scene.channel(good, { weight: 1 })
  const time = await traffic(10)
  const simulated = await scene.root.call(api.routing.simulate, {
    ...time,
    channels: [
      { id: one.id, weight: 4, cost_ratio: 0.5 },
      { id: two.id, weight: 1 },
    ],
    prices: { 'gpt-4o': { input_usd: 4, output_usd: 20 } },
  })
  const of = (id: number) => simulated.channels.find(({ channel_id }) => channel_id === id)
  expect(of(one.id)?.now).toEqual({ requests: 5, quota: 7000, cost: 8750, profit: -1750 })
  // 1,000 tokens in at 2 quota and 100 out at 10: 3,000 a request.
  expect(of(one.id)?.then).toEqual({ requests: 8, quota: 24_000, cost: 7000, profit: 17_000 })
  expect(of(two.id)?.then).toEqual({ requests: 2, quota: 6000, cost: 3500, profit: 2500 })
  expect(simulated.total.then).toEqual({ requests: 10, quota: 30_000, cost: 10_500, profit: 19_500 })
})

test('the figures of channels add up to the total, also where shares are no whole numbers', async () => {
  for (const weight of [1, 1, 1]) await scene.channel(good, { weight, models: 'gpt-4o' })
  const time = await traffic(5)
  const { channels, total } = await scene.root.call(api.routing.simulate, { ...time, channels: [] })
  for (const measure of ['quota', 'cost', 'profit'] as const)
    expect(channels.reduce((sum, { now }) => sum + now[measure], 0)).toBe(total.now[measure])
})

test('a draft of a price leaves what the cache costs, as applying it does', async () => {
  const report = { prompt_tokens: 1000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 800 } }
  await scene.channel(chatAnswer('hello', report))
  await scene.root.call(api.prices.set, { model: 'gpt-4o', input_usd: 2, output_usd: 8, cache_read_usd: 0.02 })
  const time = await traffic(10)
  const draft = { ...time, channels: [], prices: { 'gpt-4o': { input_usd: 2, output_usd: 8 } } }
  const { total } = await scene.root.call(api.routing.simulate, draft)
  expect(total.then).toEqual(total.now)
})

test('peaks, failures and first bytes are shown before and after', async () => {
  const slow: Behaviour = async (seen) => {
    await Bun.sleep(5)
    return good(seen)
  }
  const one = await scene.channel(slow, { weight: 1, rpm: 60 })
  const two = await scene.channel(slow, { weight: 1 })
  const time = await traffic(6)
  const draft = { ...time, channels: [{ id: two.id, status: 2 }] }
  const simulated = await scene.root.call(api.routing.simulate, draft)
  const of = (id: number) => simulated.channels.find(({ channel_id }) => channel_id === id)
  const peak = of(one.id)?.peak ?? { now: 0 }
  expect(peak.now).toBeGreaterThan(0)
  expect(of(one.id)?.peak.then).toBeCloseTo(peak.now * 2, 1)
  expect([of(one.id)?.rpm, of(two.id)?.rpm, of(two.id)?.peak.then]).toEqual([60, 0, 0])
  expect([of(one.id)?.full, of(two.id)?.full]).toEqual([null, null])
  expect([simulated.failed.now, simulated.failed.then]).toEqual([0, 0])
  expect(simulated.first_byte_ms.then).toBeGreaterThan(0)
})

test('a channel at its limit says for how many minutes, when, and who takes over', async () => {
  // Stretches begin on the clock: here five minutes of one have passed.
  scene.app.time.now = Math.floor(Date.now() / 900_000) * 900_000 + 300_000
  const one = await scene.channel(good, { weight: 1, rpm: 1, name: 'first-one' })
  const two = await scene.channel(good, { weight: 1, name: 'other-one' })
  const time = await traffic(40)
  const alone = await scene.root.call(api.routing.simulate, { ...time, channels: [{ id: two.id, status: 2 }] })
  const of = (id: number, { channels }: typeof alone) => channels.find(({ channel_id }) => channel_id === id)?.full
  expect(of(two.id, alone)).toBeNull()
  // Traffic of seconds is no minute.
  expect(of(one.id, alone)).toBeNull()
  const hour = { from: time.from - 3600, to: time.to + 900, channels: [{ id: two.id, weight: 0 }] }
  const full = of(one.id, await scene.root.call(api.routing.simulate, hour))
  expect(full?.minutes).toBeGreaterThan(0)
  expect(full?.worst.to).toBeGreaterThanOrEqual(time.from)
  expect(full?.instead).toEqual(['other-one'])
})

test('requests that no channel would answer any more are listed, and none is lost', async () => {
  const one = await scene.channel(good, { weight: 1 })
  const time = await traffic(3)
  const off = { ...time, channels: [{ id: one.id, status: 2 }] }
  const simulated = await scene.root.call(api.routing.simulate, off)
  expect(simulated.unserved).toEqual([{ model: 'gpt-4o', group: 'default', requests: 3 }])
  expect(simulated.total.then.requests).toBe(0)
  await scene.option('ModelRatio', '{"gpt-4o":1,"stand-in":2}')
  await scene.option('ModelFallbacks', '{"gpt-4o":["stand-in"]}')
  const other = await scene.channel(good, { models: 'stand-in' })
  const saved = await scene.root.call(api.routing.simulate, off)
  expect(saved.unserved).toEqual([])
  expect(saved.channels.find(({ channel_id }) => channel_id === other.id)?.then.requests).toBe(3)
})

test('a draft is applied in one step that one undo takes back', async () => {
  const one = await scene.channel(good)
  const two = await scene.channel(good)
  const draft = {
    channels: [
      { id: one.id, priority: 3, group: 'vip' },
      { id: two.id, status: 2, cost_ratio: 0.7 },
    ],
    prices: { 'gpt-4o': { input_usd: 5, output_usd: 6 } },
  }
  const read = async () => ({
    one: await scene.root.call(api.channels.get, { id: one.id }),
    two: await scene.root.call(api.channels.get, { id: two.id }),
    price: (await scene.root.call(api.prices.list, { keyword: 'gpt-4o' })).list.find(({ model }) => model === 'gpt-4o'),
  })
  const before = await read()
  expect(await scene.root.call(api.routing.apply, draft)).toBe(3)
  expect(await read()).toMatchObject({
    one: { priority: 3, group: 'vip' },
    two: { status: 2, cost_ratio: 0.7 },
    price: { input_usd: 5, output_usd: 6 },
  })
  const { list } = await scene.root.call(api.history.list, { pagesize: 1 })
  await scene.root.call(api.history.undo, { id: list[0]?.id ?? 0 })
  expect(await read()).toEqual(before)
})

test('an impossible draft is refused and changes nothing', async () => {
  const one = await scene.channel(good)
  const before = await scene.root.call(api.channels.get, { id: one.id })
  const wrong = [
    {
      channels: [
        { id: one.id, weight: 2 },
        { id: 999_999, weight: 1 },
      ],
    },
    {
      channels: [
        { id: one.id, weight: 2 },
        { id: one.id, weight: 3 },
      ],
    },
    { channels: [{ id: one.id, weight: -1 }] },
    { channels: [{ id: one.id, status: 3 }] },
    { channels: [{ id: one.id, name: 'x' }] },
    { channels: [{ id: one.id, weight: 2 }], prices: { x: { input_usd: 0, output_usd: 1 } } },
    { channels: [] },
  ]
  for (const body of wrong) {
    const answer = await scene.root.fetch('/api/routing/apply', { method: 'POST', body: JSON.stringify(body) })
    expect(await answer.json()).toMatchObject({ success: false })
    expect(await scene.root.call(api.channels.get, { id: one.id })).toEqual(before)
  }
  const backwards = await scene.root.raw(api.routing.simulate, { from: 10, to: 5, channels: [] })
  expect(backwards.success).toBe(false)
})

test('the catalogue shows what a caller can reach, for his price, and no channel', async () => {
  await scene.option('GroupRatio', '{"default":2,"vip":1}')
  await scene.channel(good, { name: 'secret-channel', models: 'gpt-4o,no-price-known' })
  await scene.channel(good, { models: 'claude-sonnet-4-5', group: 'vip' })
  await (await scene.chat()).text()
  const page = await scene.user.call(api.models.list, {})
  expect(page).toMatchObject({ total: 1, currentPage: 1 })
  expect(page.list[0]).toMatchObject({
    id: 'gpt-4o',
    vendor: 'OpenAI',
    context: 128_000,
    price: { input_usd: 4, output_usd: 16, unit: 'token' },
    availability: 1,
  })
  expect(page.list[0]?.input).toContain('image')
  expect(page.list[0]?.features).toContain('tools')
  expect(JSON.stringify(page)).not.toContain('secret-channel')
  expect((await scene.app.client().raw(api.models.list, {})).status).toBe(401)
  await scene.option('ModelPagePublic', true)
  expect((await scene.app.client().call(api.models.list, {})).list).toHaveLength(1)
})

test('all the time there is, and times to come, are answered at once and like the time with traffic in it', async () => {
  await scene.channel(good, { weight: 1, rpm: 60 })
  const time = await traffic(4)
  const { channels, total } = await scene.root.call(api.routing.simulate, { ...time, channels: [] })
  const all = { from: 0, to: time.to, channels: [] }
  for (const folded of [false, true]) {
    if (folded) await foldLogs(scene.app.ctx)
    expect((await scene.root.call(api.routing.simulate, all)).total).toEqual(total)
    const wide = await scene.root.call(api.routing.simulate, { ...all, to: 100_000_000_000 })
    expect(wide.channels.map(({ peak }) => peak.now > 0)).toEqual(channels.map(() => true))
  }
  const coming = { from: time.to + 1000, to: time.to + 2000, channels: [] }
  expect((await scene.root.call(api.routing.simulate, coming)).total.now.requests).toBe(0)
})

test('requests whose channels are gone are counted today, and are unserved or answered by others', async () => {
  await scene.option('ModelRatio', '{"gpt-4o": 1, "lost": 1, "shared": 1}')
  await scene.option('CompletionRatio', '{"gpt-4o": 4, "lost": 4, "shared": 4}')
  const gone = await scene.channel(good, { models: 'lost,shared', priority: 9 })
  const stays = await scene.channel(good, { models: 'gpt-4o,shared' })
  // Nothing of other tests lies in this time.
  scene.app.time.now = Date.now() + 7_200_000
  const time = await traffic(3)
  for (const model of ['lost', 'lost', 'shared', 'shared', 'shared']) await (await scene.chat({ model })).text()
  const until = { ...time, to: time.to + 60 }
  await scene.root.call(api.channels.remove, { id: gone.id })
  const added = async (channels: { id: number; status?: number; models?: string }[]) => {
    const { total, unserved } = await scene.root.call(api.routing.simulate, { ...until, channels })
    const left = unserved.reduce((sum, { requests }) => sum + requests, 0)
    expect(total.then.requests + left).toBe(total.now.requests)
    return [total.now.requests, total.then.requests, left]
  }
  expect(await added([])).toEqual([8, 6, 2])
  expect(await added([{ id: stays.id, models: 'gpt-4o' }])).toEqual([8, 3, 5])
  expect(await added([{ id: stays.id, models: 'gpt-4o,shared,lost' }])).toEqual([8, 8, 0])
  expect(await added([{ id: stays.id, status: 2 }])).toEqual([8, 0, 8])
})
