import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { expectCharge } from '#server/testing/expect-charge.ts'
import { type Behaviour, chatAnswer, errorAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'
import { channelStatus } from '#shared/statuses.ts'

let scene: RelayScene
let notices: { title: string; content: string }[] = []
const pusher = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    notices.push((await request.json()) as { title: string; content: string })
    return Response.json({ success: true })
  },
})
beforeAll(async () => {
  scene = await startRelayScene()
})
beforeEach(async () => {
  notices = []
  await scene.option('MessagePusherAddress', `http://127.0.0.1:${pusher.port}/push`)
})
afterEach(() => scene.clear())
afterAll(async () => {
  await scene.stop()
  await pusher.stop(true)
})

const good = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })
const deadKey = errorAnswer(401, { message: 'Incorrect API key provided', code: 'invalid_api_key' })

const statusOf = async (id: number) => (await scene.root.call(api.channels.get, { id })).status

/** Every notice goes with a row of the log, written in the transaction that disables. */
const disabledNotes = async (id: number): Promise<number> => {
  const rows = await scene.app.ctx.database.db
    .selectFrom('logs')
    .select('id')
    .where('content', 'like', `%(#${id}) has been disabled automatically%`)
    .execute()
  return rows.length
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const limit = Date.now() + 3000
  while (!(await condition())) {
    if (Date.now() > limit) throw new Error('it did not happen')
    await Bun.sleep(5)
  }
}

async function runTests(scope: 'all' | 'disabled') {
  await scene.root.call(api.channels.testMany, { scope })
  await until(async () => !(await scene.root.call(api.channels.testProgress, {})).running)
  return scene.root.call(api.channels.testProgress, {})
}

const recover = async () => {
  for (const job of scene.app.jobs) await job.run(scene.app.ctx)
}

describe('a channel with dead credentials', () => {
  test('is disabled once, and the super administrator is notified once', async () => {
    await scene.option('AutomaticDisableChannelEnabled', true)
    await scene.option('RetryTimes', 1)
    const dead = await scene.channel(deadKey, { priority: 9 })
    await scene.channel(good)
    await Promise.all(Array.from({ length: 8 }, () => scene.chat()))
    await until(async () => (await statusOf(dead.id)) === channelStatus.autoDisabled && notices.length > 0)
    await scene.chat()
    expect(await disabledNotes(dead.id)).toBe(1)
    expect(notices).toHaveLength(1)
    expect(notices[0]?.title).toContain(`#${dead.id}`)
    expect(notices[0]?.content).toContain('Incorrect API key')
    const asked = dead.seen.length
    await scene.chat()
    expect(dead.seen).toHaveLength(asked)
  })

  test('stays enabled when the option is off, and the client learns nothing of keys', async () => {
    const dead = await scene.channel(deadKey)
    const response = await scene.chat()
    expect(response.status).toBe(502)
    expect(await response.text()).not.toContain('API key')
    expect(await statusOf(dead.id)).toBe(channelStatus.enabled)
    expect(notices).toEqual([])
  })

  test.each([
    ['a 429', errorAnswer(429, { message: 'slow down' })],
    ['a 500', errorAnswer(500, { message: 'down' })],
    ['a 502', errorAnswer(502, { message: 'down' })],
    ['a bad request', errorAnswer(400, { message: 'bad', type: 'invalid_request_error' })],
    ['an unknown model', errorAnswer(404, { message: 'no such model', code: 'model_not_found' })],
  ] satisfies [string, Behaviour][])('%s disables nothing', async (_, behaviour) => {
    await scene.option('AutomaticDisableChannelEnabled', true)
    const channel = await scene.channel(behaviour)
    for (let round = 0; round < 3; round += 1) await scene.chat()
    expect(await statusOf(channel.id)).toBe(channelStatus.enabled)
  })
})

test('a channel that asked to be left alone is, also when a request from before is answered', async () => {
  const held = Promise.withResolvers<void>()
  const wait = errorAnswer(429, { message: 'slow down' }, { 'retry-after': '60' })
  const first = await scene.channel([(request) => held.promise.then(() => good(request)), wait], { priority: 9 })
  await scene.channel(good)
  await scene.option('RetryTimes', 1)
  const early = scene.chat()
  await until(() => first.seen.length === 1)
  expect((await scene.chat()).status).toBe(200)
  held.resolve()
  expect((await early).status).toBe(200)
  for (let round = 0; round < 3; round += 1) expect((await scene.chat()).status).toBe(200)
  expect(first.seen).toHaveLength(2)
})

describe('the test of one channel', () => {
  test('asks something short, answers the time, and is neither billed nor logged', async () => {
    const channel = await scene.channel(good)
    const bill = await scene.bill(async () => {
      const result = await scene.root.raw(api.channels.test, { id: channel.id })
      expect(result).toMatchObject({ success: true, data: { model: 'gpt-4o' } })
      expect(result.time).toBeNumber()
    })
    expect(bill).toMatchObject({ user: 0, rows: [], channels: 0 })
    expect(channel.seen[0]?.body).toMatchObject({ model: 'gpt-4o', max_tokens: 16 })
  })

  test.each([
    ['an error', errorAnswer(500, { message: 'out of order' }), 'out of order'],
    ['a page', () => new Response('<html></html>'), 'cannot be read'],
    ['an error inside a success', () => Response.json({ error: { message: 'quota is used up' } }), 'used up'],
  ] satisfies [string, Behaviour, string][])(
    'fails with %s, also when the status is 200',
    async (_, behaviour, words) => {
      const channel = await scene.channel(behaviour)
      const result = await scene.root.raw(api.channels.test, { id: channel.id })
      expect(result.success).toBe(false)
      expect(result.message).toContain(words)
    },
  )
})

describe('the test of many channels', () => {
  test('goes through all of them, shows its progress and says how many failed', async () => {
    await scene.channel(good)
    await scene.channel(errorAnswer(500, { message: 'no' }))
    await scene.channel(good)
    expect(await runTests('all')).toEqual({ running: false, total: 3, done: 3, failed: 1 })
  })

  test('runs once at a time', async () => {
    const gate = Promise.withResolvers<void>()
    await scene.channel(async (seen) => {
      await gate.promise
      return good(seen)
    })
    await scene.root.call(api.channels.testMany, { scope: 'all' })
    expect((await scene.root.raw(api.channels.testMany, { scope: 'all' })).success).toBe(false)
    expect(await scene.root.call(api.channels.testProgress, {})).toMatchObject({
      running: true,
      done: 0,
      total: 1,
    })
    gate.resolve()
    await until(async () => !(await scene.root.call(api.channels.testProgress, {})).running)
  })

  test('of the disabled ones leaves the enabled alone', async () => {
    const enabled = await scene.channel(good)
    const disabled = await scene.channel(good)
    await scene.root.call(api.channels.update, { id: disabled.id, status: channelStatus.manuallyDisabled })
    expect(await runTests('disabled')).toMatchObject({ total: 1, done: 1 })
    expect([enabled.seen.length, disabled.seen.length]).toEqual([0, 1])
  })

  test('switches on what was switched off automatically, never what a person disabled', async () => {
    await scene.option('AutomaticDisableChannelEnabled', true)
    await scene.option('AutomaticEnableChannelEnabled', true)
    const recovered = await scene.channel([deadKey, good])
    const byHand = await scene.channel(good)
    await scene.root.call(api.channels.update, { id: byHand.id, status: channelStatus.manuallyDisabled })
    await scene.chat()
    await until(async () => (await statusOf(recovered.id)) === channelStatus.autoDisabled)
    await runTests('all')
    expect(await statusOf(recovered.id)).toBe(channelStatus.enabled)
    expect(await statusOf(byHand.id)).toBe(channelStatus.manuallyDisabled)
    await until(() => notices.length === 2)
    expect(notices.map(({ title }) => title.includes('enabled'))).toEqual([false, true])
    expectCharge(await scene.bill(() => scene.chat()), 30, { channel: recovered.id })
  })

  test('happens by itself to what was switched off automatically, until it is back', async () => {
    await scene.option('AutomaticDisableChannelEnabled', true)
    const lost = await scene.channel([deadKey, deadKey, good])
    const byHand = await scene.channel(good)
    await scene.root.call(api.channels.update, { id: byHand.id, status: channelStatus.manuallyDisabled })
    await scene.chat()
    await until(async () => (await statusOf(lost.id)) === channelStatus.autoDisabled)
    await recover()
    expect(lost.seen.length).toBe(1)
    await scene.option('AutomaticEnableChannelEnabled', true)
    await recover()
    expect(await statusOf(lost.id)).toBe(channelStatus.autoDisabled)
    await recover()
    expect(await statusOf(lost.id)).toBe(channelStatus.enabled)
    await recover()
    expect([lost.seen.length, byHand.seen.length]).toEqual([3, 0])
  })

  test('leaves it switched off when the option is off', async () => {
    await scene.option('AutomaticDisableChannelEnabled', true)
    const channel = await scene.channel([deadKey, good])
    await scene.chat()
    await until(async () => (await statusOf(channel.id)) === channelStatus.autoDisabled)
    await runTests('disabled')
    expect(await statusOf(channel.id)).toBe(channelStatus.autoDisabled)
  })

  test('switches off what answers more slowly than the threshold', async () => {
    await scene.option('AutomaticDisableChannelEnabled', true)
    await scene.option('ChannelDisableThreshold', 0.05)
    const slow = await scene.channel(async (seen) => {
      await Bun.sleep(80)
      return good(seen)
    })
    await runTests('all')
    expect(await statusOf(slow.id)).toBe(channelStatus.autoDisabled)
    await until(() => notices.length === 1)
    expect(notices[0]?.content).toContain('exceeds the threshold')
  })

  test('says what answers more slowly than the threshold where it switches nothing off', async () => {
    await scene.option('ChannelDisableThreshold', 0.05)
    const slow = await scene.channel(async (seen) => {
      await Bun.sleep(80)
      return good(seen)
    })
    await runTests('all')
    await until(() => notices.length === 1)
    expect(notices[0]?.title).toContain(`(#${slow.id}) is slow`)
    expect(notices[0]?.content).toContain('exceeds the threshold of 0.05 s; it stays enabled')
    expect(await statusOf(slow.id)).toBe(channelStatus.enabled)
  })
})

describe('a request that is refused for what it says', () => {
  test.each<[string, Behaviour]>([
    ['a page of a firewall', () => new Response('<html>blocked</html>', { status: 403 })],
    ['a moderator', () => Response.json({ error: { code: 403, message: 'your input was flagged' } }, { status: 403 })],
  ])('by %s says nothing about the channel', async (_, refusing) => {
    await scene.option('AutomaticDisableChannelEnabled', true)
    const channel = await scene.channel([...Array.from({ length: 6 }, () => refusing), good])
    for (let at = 0; at < 6; at += 1) expect((await scene.chat()).status).toBe(403)
    expect((await scene.chat()).status).toBe(200)
    expect(await statusOf(channel.id)).toBe(channelStatus.enabled)
    expect(notices).toEqual([])
  })
})

test('an error whose number is no status of HTTP is answered as an error of the upstream', async () => {
  await scene.channel(() => Response.json({ error: { code: '1302', message: 'too many at once' } }))
  const answer = await scene.chat()
  expect(answer.status).toBe(500)
  expect(((await answer.json()) as { error: { message: string } }).error.message).toContain('too many at once')
})

describe('the balance of a channel', () => {
  test('is asked of the provider and kept', async () => {
    const channel = await scene.channel(
      ({ path }) =>
        path.endsWith('/subscription')
          ? Response.json({ hard_limit_usd: 20, has_payment_method: true })
          : Response.json({ total_usage: 750 }),
      { type: 1 },
    )
    const result = await scene.root.raw(api.channels.balance, { id: channel.id })
    expect(result).toMatchObject({ success: true, balance: 12.5, data: { balance: 12.5 } })
    expect((await scene.root.call(api.channels.get, { id: channel.id })).balance).toBe(12.5)
  })

  test('cannot be asked where the provider has no such call', async () => {
    const channel = await scene.channel(good, { type: 14 })
    expect((await scene.root.raw(api.channels.balance, { id: channel.id })).success).toBe(false)
  })
})
