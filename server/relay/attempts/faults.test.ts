import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { expectCharge, expectFree } from '#server/testing/expect-charge.ts'
import {
  type Behaviour,
  deltaFrame,
  doneFrame,
  errorAnswer,
  eventStream,
  finishFrame,
  usageFrame,
} from '#server/testing/fake-upstream.ts'
import {
  clearFaultScene,
  errorOf,
  good,
  goodStream,
  pairOf,
  startFaultScene,
  stopFaultScene,
  usage,
} from '#server/testing/fault-scene.ts'
import { startRawUpstream, startStuckUpstream } from '#server/testing/raw-upstream.ts'
import type { RelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startFaultScene()
})
afterEach(() => clearFaultScene(scene))
afterAll(() => stopFaultScene(scene))

describe('a busy provider', () => {
  test('429 with Retry-After is passed on, and the channel rests as long as it asked', async () => {
    const channel = await scene.channel(errorAnswer(429, { message: 'slow down' }, { 'retry-after': '17' }))
    const bill = await scene.bill(async () => {
      const response = await scene.chat()
      expect(response.status).toBe(429)
      expect(response.headers.get('retry-after')).toBe('17')
      expect((await errorOf(response)).message).toContain('slow down')
    })
    expectFree(bill, { outcome: 'failed', tried: String(channel.id) })

    const fresh = await scene.channel(good)
    const start = Date.now()
    scene.app.time.now = start + 15_000
    for (let round = 0; round < 5; round += 1) await scene.chat()
    expect([channel.seen.length, fresh.seen.length]).toEqual([1, 5])
  })

  test.each([
    ['45.837906927s', '46', 1],
    ['0s', null, 4],
    ['soon', null, 4],
  ])('a pause of %s that Google asks for in the body is one', async (retryDelay, passedOn, asked) => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }]
    const error = { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED', details }
    const channel = await scene.channel(() => Response.json({ error }, { status: 429 }), { type: 24, priority: 9 })
    const response = await scene.chat()
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe(passedOn)

    await scene.channel(good)
    await scene.option('RetryTimes', 1)
    scene.app.time.now = Date.now() + 40_000
    for (let round = 0; round < 3; round += 1) expect((await scene.chat()).status).toBe(200)
    expect(channel.seen).toHaveLength(asked)
  })

  test('429 from every channel is the answer, and costs nothing', async () => {
    const { both } = await pairOf(
      scene,
      errorAnswer(429, { message: 'slow down' }, { 'retry-after': '3' }),
      errorAnswer(429, { message: 'me too' }, { 'retry-after': '9' }),
    )
    const bill = await scene.bill(async () => {
      const response = await scene.chat()
      expect(response.status).toBe(429)
      expect(response.headers.get('retry-after')).toBe('9')
    })
    expectFree(bill, { outcome: 'failed', tried: both })
  })
})

describe('an account without money', () => {
  test.each([
    ['Alibaba', 400, { message: 'Access denied, see your account', type: 'Arrearage', code: 'Arrearage' }],
    ['Moonshot', 429, { message: 'Your account is suspended', type: 'exceeded_current_quota_error' }],
  ])('at %s is not the fault of the client: another channel answers', async (_, status, error) => {
    const { both } = await pairOf(scene, errorAnswer(status, error))
    const bill = await scene.bill(async () => expect((await scene.chat()).status).toBe(200))
    expect(bill.rows[0]?.tried).toBe(both)

    await scene.clear()
    await scene.channel(errorAnswer(status, error))
    const response = await scene.chat()
    expect(response.status).toBe(502)
    expect((await errorOf(response)).message).not.toContain('account')
  })
})

describe('a provider out of order', () => {
  test('what it reports in a list, with status 200, is said', async () => {
    const errors = [{ code: 3040, message: 'Capacity temporarily exceeded' }]
    await scene.channel(() => Response.json({ result: null, success: false, errors, messages: [] }))
    const bill = await scene.bill(async () => {
      const response = await scene.chat()
      expect(response.status).toBe(500)
      expect((await errorOf(response)).message).toContain('Capacity temporarily exceeded')
    })
    expectFree(bill, { outcome: 'failed' })
  })

  test.each([500, 503, 408, 502, 529])(
    'one %d is retried elsewhere and the client sees nothing of it',
    async (status) => {
      const { both, other } = await pairOf(scene, errorAnswer(status, { message: 'out of order' }))
      const bill = await scene.bill(async () => expect((await scene.chat()).status).toBe(200))
      expectCharge(bill, 30, { tried: both, channel: other.id })
    },
  )

  test('503 without another channel is passed on', async () => {
    await scene.channel(errorAnswer(503, { message: 'overloaded' }, { 'retry-after': '2' }))
    const bill = await scene.bill(async () => {
      const response = await scene.chat({ stream: true })
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('2')
      expect((await errorOf(response)).message).toContain('overloaded')
    })
    expectFree(bill, { outcome: 'failed', is_stream: 1 })
  })

  test('a page instead of an answer is a fault of the channel', async () => {
    const { both } = await pairOf(
      scene,
      () => new Response('<html>welcome</html>', { headers: { 'content-type': 'text/html' } }),
    )
    expectCharge(await scene.bill(async () => expect((await scene.chat()).status).toBe(200)), 30, { tried: both })
  })

  test('a page instead of a stream is a fault of the channel', async () => {
    const { both } = await pairOf(
      scene,
      () => new Response('<html>welcome</html>', { headers: { 'content-type': 'text/html' } }),
      goodStream,
    )
    const bill = await scene.bill(async () =>
      expect(await (await scene.chat({ stream: true })).text()).toContain('hello'),
    )
    expectCharge(bill, 30, { tried: both })
  })

  test('a connection that is reset is retried elsewhere', async () => {
    const raw = startRawUpstream((socket) => socket.terminate())
    try {
      await scene.option('RetryTimes', 1)
      const reset = await scene.channel(good, { priority: 9, base_url: raw.url })
      const other = await scene.channel(good)
      const bill = await scene.bill(async () => expect((await scene.chat()).status).toBe(200))
      expectCharge(bill, 30, { tried: `${reset.id},${other.id}` })
    } finally {
      raw.stop()
    }
  })

  test('nobody at the address is retried elsewhere, and reported without the address', async () => {
    const dead = await scene.channel(good, { base_url: 'http://127.0.0.1:9' })
    const bill = await scene.bill(async () => {
      const response = await scene.chat()
      expect(response.status).toBe(502)
      expect(await response.text()).not.toContain('127.0.0.1')
    })
    expectFree(bill, { outcome: 'failed', tried: String(dead.id) })
  })
})

describe('a silent provider', () => {
  const never: Behaviour = () => new Promise<Response>(() => {})

  test('no response within the time is retried elsewhere', async () => {
    const { both } = await pairOf(scene, never)
    expectCharge(await scene.bill(async () => expect((await scene.chat()).status).toBe(200)), 30, { tried: both })
  })

  test('no response from anyone is 504, and free', async () => {
    const channel = await scene.channel(never)
    const bill = await scene.bill(async () => expect((await scene.chat()).status).toBe(504))
    expectFree(bill, { outcome: 'failed' })
    expect(channel.seen[0]?.signal.aborted).toBe(true)
  })

  test.each([
    ['headers without a first byte of the stream', 'text/event-stream', '', true],
    ['headers without a first byte of the answer', 'application/json', '', false],
    ['a plain answer that stops half way', 'application/json', '{"choices":[', false],
  ])('%s: the next channel is tried', async (_, type, start, stream) => {
    const raw = startStuckUpstream(type, start)
    try {
      await scene.option('RetryTimes', 1)
      const silent = await scene.channel(good, { priority: 9, base_url: raw.url })
      const other = await scene.channel(stream ? goodStream : good)
      const bill = await scene.bill(async () => expect(await (await scene.chat({ stream })).text()).toContain('hello'))
      expectCharge(bill, 30, { tried: `${silent.id},${other.id}` })
    } finally {
      raw.stop()
    }
  })

  test('a slow first byte within the time is waited for', async () => {
    await scene.channel(eventStream(600, deltaFrame('hello'), finishFrame(), usageFrame(usage), doneFrame))
    const bill = await scene.bill(async () =>
      expect(await (await scene.chat({ stream: true })).text()).toContain('hello'),
    )
    expectCharge(bill, 30)
  })

  test('a stream that falls silent is ended with an error and costs what was delivered', async () => {
    const channel = await scene.channel(eventStream(deltaFrame('hello'), 60_000))
    const bill = await scene.bill(async () => {
      const text = await (await scene.chat({ stream: true })).text()
      expect(text).toContain('upstream_stalled')
      expect(text).not.toContain('[DONE]')
    })
    expectCharge(bill, 12, { outcome: 'failed', prompt_tokens: 8, completion_tokens: 1 })
    expect(channel.seen[0]?.signal.aborted).toBe(true)
  })
})
