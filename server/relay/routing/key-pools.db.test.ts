import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '#server/testing/eventually.ts'
import { expectCharge, expectFree } from '#server/testing/expect-charge.ts'
import { type Behaviour, chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'
import { channelStatus } from '#shared/statuses.ts'

let scene: RelayScene
const dead = new Map<string, number>()
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(async () => {
  dead.clear()
  scene.app.time.now = null
  await scene.clear()
})
afterAll(() => scene.stop())

const good = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })
const keyOf = (headers: Headers) => headers.get('authorization')?.replace('Bearer ', '') ?? ''

/** Refuses the keys that are dead. */
const picky: Behaviour = (request) => {
  const key = keyOf(request.headers)
  const status = dead.get(key)
  if (status === undefined) return good(request)
  return Response.json({ error: { message: `no good: ${key}`, type: 'error' } }, { status })
}

async function poolOf(keys: string[], ...first: Behaviour[]) {
  const channel = await scene.channel([...first, picky], { key: keys[0] ?? '' })
  await scene.root.call(api.channels.update, { id: channel.id, key: keys.join('\n'), pool: true })
  const asked = () => channel.seen.map(({ headers }) => keyOf(headers))
  const states = async () => (await scene.root.call(api.channels.get, { id: channel.id })).keys
  return { channel, asked, states }
}

test('keys take turns', async () => {
  const { asked } = await poolOf(['pool-key-1', 'pool-key-2', 'pool-key-3'])
  for (let turn = 0; turn < 6; turn++) await scene.chat()
  const order = asked()
  expect(order.slice(0, 3).toSorted()).toEqual(['pool-key-1', 'pool-key-2', 'pool-key-3'])
  expect(order.slice(3)).toEqual(order.slice(0, 3))
})

test('a dead key is passed over within the request, rests alone, is shown, and comes back by itself', async () => {
  dead.set('pool-key-2', 401)
  const { asked, states, channel } = await poolOf(['pool-key-1', 'pool-key-2', 'pool-key-3'])
  const start = Date.now()
  scene.app.time.now = start
  const bill = await scene.bill(async () => {
    for (let turn = 0; turn < 30; turn++) expect((await scene.chat()).status).toBe(200)
  })
  expect(bill).toMatchObject({ user: -900, requests: 30 })
  expect(bill.rows.every((row) => row.tried === String(channel.id))).toBe(true)
  const counts = (keys: string[]) => ['1', '2', '3'].map((at) => keys.filter((key) => key === `pool-key-${at}`).length)
  expect(counts(asked())).toEqual([15, 1, 15])
  const shown = await eventually(states, (keys) => (keys[1]?.resting_until ?? 0) > start / 1000)
  expect(shown[1]?.last_fault).toContain('401: no good: [key]')
  expect([shown[0], shown[2]]).toEqual([
    { resting_until: 0, last_fault: '' },
    { resting_until: 0, last_fault: '' },
  ])
  expect(JSON.stringify(await scene.root.call(api.channels.get, { id: channel.id }))).not.toContain('pool-key')

  dead.clear()
  scene.app.time.now = start + 60_000
  for (let turn = 0; turn < 3; turn++) await scene.chat()
  expect(counts(asked().slice(-3))).toEqual([1, 1, 1])
  const well = await eventually(states, (keys) => keys[1]?.resting_until === 0)
  expect(well[1]?.last_fault).toBe('')
})

test('a key that was asked to slow down rests, the others go on', async () => {
  dead.set('pool-key-1', 429)
  const { asked } = await poolOf(['pool-key-1', 'pool-key-2'])
  for (let turn = 0; turn < 5; turn++) expect((await scene.chat()).status).toBe(200)
  expect(asked().filter((key) => key === 'pool-key-1')).toHaveLength(1)
})

test('a key that was asked to slow down rests on when a request it took before is answered', async () => {
  const held = Promise.withResolvers<void>()
  const { asked } = await poolOf(['pool-key-1', 'pool-key-2'], (request) => held.promise.then(() => good(request)))
  const early = scene.chat()
  await eventually(asked, ({ length }) => length === 1)
  const key = asked()[0] ?? ''
  dead.set(key, 429)
  for (let turn = 0; turn < 2; turn++) expect((await scene.chat()).status).toBe(200)
  held.resolve()
  expect((await early).status).toBe(200)
  const before = asked().length
  for (let turn = 0; turn < 4; turn++) expect((await scene.chat()).status).toBe(200)
  expect(asked().slice(before)).not.toContain(key)
})

test('a key that is refused without a reason gives way, and rests once another was answered', async () => {
  dead.set('pool-key-1', 403)
  const { asked, states } = await poolOf(['pool-key-1', 'pool-key-2'])
  for (let turn = 0; turn < 5; turn++) expect((await scene.chat()).status).toBe(200)
  expect(asked().filter((key) => key === 'pool-key-1')).toHaveLength(1)
  await eventually(states, ([one, two]) => (one?.resting_until ?? 0) > 0 && two?.resting_until === 0)
})

test('what every key is refused without a reason is the request: a few are asked, none rests', async () => {
  const all = Array.from({ length: 8 }, (_, at) => `pool-key-${at}`)
  for (const key of all) dead.set(key, 403)
  const { asked, states } = await poolOf(all)
  await scene.option('RetryTimes', 0)
  expectFree(await scene.bill(async () => expect((await scene.chat()).status).toBe(403)), { outcome: 'failed' })
  expect(asked()).toHaveLength(3)
  dead.clear()
  expect((await scene.chat()).status).toBe(200)
  expect((await states()).every(({ resting_until }) => resting_until === 0)).toBeTrue()
})

test('a pool whose keys are all dead is a channel that fails, and gives way to another', async () => {
  for (const key of ['pool-key-1', 'pool-key-2']) dead.set(key, 401)
  const { channel } = await poolOf(['pool-key-1', 'pool-key-2'])
  expectFree(await scene.bill(async () => expect((await scene.chat()).status).toBe(502)), { outcome: 'failed' })
  const other = await scene.channel(good, { priority: -1 })
  expectCharge(await scene.bill(() => scene.chat()), 30, { tried: String(other.id) })
  expect(channel.seen).toHaveLength(2)
})

test('the balance is asked with a key that does not rest', async () => {
  dead.set('pool-key-1', 401)
  const { channel, states } = await poolOf(['pool-key-1', 'pool-key-2'])
  await scene.root.call(api.channels.test, { id: channel.id })
  await eventually(states, ([one]) => (one?.resting_until ?? 0) > 0)
  const before = channel.seen.length
  await scene.root.raw(api.channels.balance, { id: channel.id })
  expect(channel.seen.slice(before).map(({ headers }) => keyOf(headers))).toContain('pool-key-2')
  expect(channel.seen.slice(before).map(({ headers }) => keyOf(headers))).not.toContain('pool-key-1')
})

test('a test asks past a dead key, which rests alone: the channel is not disabled for it', async () => {
  dead.set('pool-key-1', 401)
  await scene.option('AutomaticDisableChannelEnabled', true)
  const { channel, asked, states } = await poolOf(['pool-key-1', 'pool-key-2'])
  await scene.root.call(api.channels.testMany, { scope: 'all' })
  await eventually(
    () => scene.root.call(api.channels.testProgress, {}),
    ({ running }) => !running,
  )
  expect(asked()).toEqual(['pool-key-1', 'pool-key-2'])
  expect(await scene.root.call(api.channels.get, { id: channel.id })).toMatchObject({ status: 1, test_fault: '' })
  await eventually(states, ([one, two]) => (one?.resting_until ?? 0) > 0 && two?.resting_until === 0)
  await scene.root.call(api.channels.test, { id: channel.id })
  expect(asked().slice(2)).toEqual(['pool-key-2'])
  dead.set('pool-key-2', 401)
  expect((await scene.root.raw(api.channels.test, { id: channel.id })).message).toContain('401')
})

test('a pool whose last key rests is asked with it, and not shown as resting', async () => {
  dead.set('pool-key-1', 401)
  const { channel, asked, states } = await poolOf(['pool-key-1', 'pool-key-2'])
  for (let turn = 0; turn < 2; turn++) await scene.chat()
  await eventually(states, ([one]) => (one?.resting_until ?? 0) > 0)
  dead.clear()
  await scene.root.call(api.channels.update, { id: channel.id, key: 'pool-key-1', pool: true })
  expect((await scene.chat()).status).toBe(200)
  expect(asked().at(-1)).toBe('pool-key-1')
  expect(await scene.root.call(api.routing.resting, {})).toEqual([])
})

describe('a pool with a dead key', () => {
  const statusOf = async ({ id }: { id: number }) => (await scene.root.call(api.channels.get, { id })).status
  afterEach(() => scene.option('AutomaticDisableChannelEnabled', false))

  test('stays enabled while another key was only asked to slow down, by requests and by a test', async () => {
    await scene.option('AutomaticDisableChannelEnabled', true)
    dead.set('pool-key-1', 401).set('pool-key-2', 429)
    const { channel, asked } = await poolOf(['pool-key-1', 'pool-key-2'])
    const start = Date.now()
    for (const seconds of [0, 11]) {
      scene.app.time.now = start + seconds * 1000
      for (let turn = 0; turn < 3; turn++) await scene.chat()
    }
    scene.app.time.now = start + 60_000
    await scene.root.call(api.channels.testMany, { scope: 'all' })
    await eventually(
      () => scene.root.call(api.channels.testProgress, {}),
      ({ running }) => !running,
    )
    expect(new Set(asked())).toEqual(new Set(['pool-key-1', 'pool-key-2']))
    expect(await statusOf(channel)).toBe(channelStatus.enabled)
  })

  test('is disabled once the last of its keys is refused for its credentials', async () => {
    await scene.option('AutomaticDisableChannelEnabled', true)
    dead.set('pool-key-1', 401).set('pool-key-2', 429)
    const { channel } = await poolOf(['pool-key-1', 'pool-key-2'])
    scene.app.time.now = Date.now()
    await scene.chat()
    dead.set('pool-key-2', 401)
    scene.app.time.now += 11_000
    await scene.chat()
    await eventually(
      () => statusOf(channel),
      (status) => status === channelStatus.autoDisabled,
    )
  })
})
