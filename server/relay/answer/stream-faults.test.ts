import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { expectCharge, expectFree } from '#server/testing/expect-charge.ts'
import {
  chatAnswer,
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
import { startBreakingUpstream } from '#server/testing/raw-upstream.ts'
import type { RelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startFaultScene()
})
afterEach(() => clearFaultScene(scene))
afterAll(() => stopFaultScene(scene))

describe('a stream', () => {
  test('that is cut says so to the client and costs what was delivered', async () => {
    const raw = startBreakingUpstream('text/event-stream', deltaFrame('hello'))
    try {
      await scene.channel(good, { base_url: raw.url })
      const bill = await scene.bill(async () => {
        const text = await (await scene.chat({ stream: true })).text()
        expect(text).toContain('upstream_stream_cut')
        expect(text).toContain('request id')
        expect(text).not.toContain('[DONE]')
      })
      expectCharge(bill, 12, { outcome: 'failed', prompt_tokens: 8, completion_tokens: 1 })
    } finally {
      raw.stop()
    }
  })

  test('asked for twice of a provider that answers once is refused by name', async () => {
    const channel = await scene.channel(() => new Response(''), { type: 30 })
    const bill = await scene.bill(async () => {
      const answer = await scene.chat({ stream: true, n: 2 })
      expect(answer.status).toBe(400)
      expect(await errorOf(answer)).toMatchObject({ param: 'n' })
    })
    expectFree(bill, { outcome: 'failed' })
    expect(channel.seen).toHaveLength(0)
  })

  test('that ends without a reason has an end in every dialect', async () => {
    await scene.channel(eventStream(deltaFrame('hello'), usageFrame(usage), doneFrame))
    const ask = { model: 'gpt-4o', stream: true, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }
    const bill = await scene.bill(async () => {
      const text = await (await scene.post('/v1/messages', ask)).text()
      expect(text).toContain('event: message_delta')
      expect(text).toContain('event: message_stop')
    })
    expectCharge(bill, 30, { outcome: 'done' })
  })

  test('with an event too long to be read breaks off, and costs what was delivered', async () => {
    const endless = `data: ${'x'.repeat(33 * 1024 * 1024)}`
    await scene.channel(eventStream(deltaFrame('hello'), endless))
    const bill = await scene.bill(async () => {
      const text = await (await scene.chat({ stream: true })).text()
      expect(text).toContain('upstream_stream_cut')
    })
    expectCharge(bill, 12, { outcome: 'failed', prompt_tokens: 8, completion_tokens: 1 })
    expect(bill.holds).toBe(0)
  })

  test('that closes in good order before it is finished is cut too', async () => {
    await scene.channel(eventStream(deltaFrame('hello')))
    const bill = await scene.bill(async () =>
      expect(await (await scene.chat({ stream: true })).text()).toContain('upstream_stream_cut'),
    )
    expectCharge(bill, 12, { outcome: 'failed' })
  })

  test('that breaks before it has said anything is retried elsewhere', async () => {
    const raw = startBreakingUpstream('text/event-stream', '')
    try {
      await scene.option('RetryTimes', 1)
      const broken = await scene.channel(good, { priority: 9, base_url: raw.url })
      const other = await scene.channel(goodStream)
      const bill = await scene.bill(async () =>
        expect(await (await scene.chat({ stream: true })).text()).toContain('hello'),
      )
      expectCharge(bill, 30, { tried: `${broken.id},${other.id}` })
    } finally {
      raw.stop()
    }
  })

  const malformed = 'data: {"choices":[{"del\n\n'

  test('with a malformed frame ends with an error and costs what was delivered', async () => {
    await scene.channel(eventStream(deltaFrame('hello'), 20, malformed, deltaFrame('lost'), finishFrame(), doneFrame))
    const bill = await scene.bill(async () => {
      const text = await (await scene.chat({ stream: true })).text()
      expect(text).toContain('unreadable_response')
      expect(text).not.toContain('lost')
    })
    expectCharge(bill, 12, { outcome: 'failed', prompt_tokens: 8, completion_tokens: 1 })
  })

  test('that begins with a malformed frame is retried elsewhere', async () => {
    const { both } = await pairOf(scene, eventStream(malformed), goodStream)
    const bill = await scene.bill(async () =>
      expect(await (await scene.chat({ stream: true })).text()).toContain('hello'),
    )
    expectCharge(bill, 30, { tried: both })
  })

  test('without [DONE] is complete when the model has finished', async () => {
    await scene.channel(eventStream(deltaFrame('hello'), finishFrame(), usageFrame(usage)))
    const bill = await scene.bill(async () =>
      expect(await (await scene.chat({ stream: true })).text()).toEndWith(doneFrame),
    )
    expectCharge(bill, 30)
  })

  test('whose provider never closes after the end does not keep the client waiting', async () => {
    await scene.channel(eventStream(deltaFrame('hello') + finishFrame() + usageFrame(usage) + doneFrame, 60_000))
    const bill = await scene.bill(async () =>
      expect(await (await scene.chat({ stream: true })).text()).toEndWith(doneFrame),
    )
    expectCharge(bill, 30)
  })

  test('in frames cut anywhere, even inside a character, arrives as it was sent', async () => {
    const whole = new TextEncoder().encode(deltaFrame('grüße 你好') + finishFrame() + usageFrame(usage) + doneFrame)
    await scene.channel(
      () =>
        new Response(
          new ReadableStream({
            async start(controller) {
              for (let at = 0; at < whole.length; at += 7) {
                controller.enqueue(whole.slice(at, at + 7))
                await Bun.sleep(0)
              }
              controller.close()
            },
          }),
          { headers: { 'content-type': 'text/event-stream' } },
        ),
    )
    const bill = await scene.bill(async () => {
      const text = await (await scene.chat({ stream: true, stream_options: { include_usage: true } })).text()
      expect(text).toBe(new TextDecoder().decode(whole).replaceAll('upstream-model', 'gpt-4o'))
    })
    expectCharge(bill, 30)
  })
})

describe("the client's own fault", () => {
  test('too long a context is not retried and keeps its words', async () => {
    const message = "This model's maximum context length is 8192 tokens."
    const { troubled, other } = await pairOf(
      scene,
      errorAnswer(400, { message, type: 'invalid_request_error', code: 'context_length_exceeded' }),
    )
    const bill = await scene.bill(async () => {
      const response = await scene.chat()
      expect(response.status).toBe(400)
      const error = await errorOf(response)
      expect(error).toMatchObject({ type: 'invalid_request_error', code: 'context_length_exceeded' })
      expect(error.message).toContain(message)
    })
    expectFree(bill, { outcome: 'failed', tried: String(troubled.id) })
    expect(other.seen).toEqual([])
  })

  test('a refusal by the content filter before the answer is passed on, free and not retried', async () => {
    const { other } = await pairOf(
      scene,
      errorAnswer(400, { message: 'filtered', type: 'invalid_request_error', code: 'content_filter' }),
    )
    const bill = await scene.bill(async () => {
      const response = await scene.chat()
      expect(response.status).toBe(400)
      expect(await errorOf(response)).toMatchObject({ code: 'content_filter' })
    })
    expectFree(bill, { outcome: 'failed' })
    expect(other.seen).toEqual([])
  })

  test('an answer the content filter ends is an answer, and billed', async () => {
    await scene.channel(chatAnswer('hel', usage, { finish: 'content_filter' }))
    const bill = await scene.bill(async () => expect(await (await scene.chat()).text()).toContain('content_filter'))
    expectCharge(bill, 30)
  })

  test('does not rest the channel', async () => {
    const channel = await scene.channel(errorAnswer(400, { message: 'bad', type: 'invalid_request_error' }))
    for (let round = 0; round < 12; round += 1) await scene.chat()
    const reserve = await scene.channel(good, { priority: -1 })
    await scene.chat()
    expect([channel.seen.length, reserve.seen.length]).toEqual([13, 0])
  })
})

describe('several channels', () => {
  test('a fallback that refuses decides the answer', async () => {
    const { both } = await pairOf(
      scene,
      errorAnswer(500, { message: 'out of order' }),
      errorAnswer(400, { message: 'no such parameter', type: 'invalid_request_error' }),
    )
    const bill = await scene.bill(async () => {
      const response = await scene.chat()
      expect(response.status).toBe(400)
      expect((await errorOf(response)).message).toContain('no such parameter')
    })
    expectFree(bill, { outcome: 'failed', tried: both })
  })

  test('a flapping channel is rested after five faults in a row and probed back', async () => {
    await scene.option('RetryTimes', 1)
    const start = Date.now()
    scene.app.time.now = start
    const flapping = await scene.channel([...Array(5).fill(errorAnswer(500, { message: 'down' })), good], {
      priority: 9,
    })
    const steady = await scene.channel(good)
    for (let round = 0; round < 8; round += 1) expect((await scene.chat()).status).toBe(200)
    expect([flapping.seen.length, steady.seen.length]).toEqual([5, 8])
    scene.app.time.now = start + 10_001
    await scene.chat()
    await scene.chat()
    expect([flapping.seen.length, steady.seen.length]).toEqual([7, 8])
  })

  test('a channel that refuses a bad request is alive: such a probe brings it back', async () => {
    await scene.option('RetryTimes', 1)
    const start = Date.now()
    scene.app.time.now = start
    const bad = errorAnswer(400, { message: 'bad', type: 'invalid_request_error' })
    const back = await scene.channel([...Array(5).fill(errorAnswer(500, { message: 'down' })), bad, good], {
      priority: 9,
    })
    await scene.channel(good)
    for (let round = 0; round < 5; round += 1) await scene.chat()
    scene.app.time.now = start + 10_001
    expect((await scene.chat()).status).toBe(400)
    expect((await scene.chat()).status).toBe(200)
    expect(back.seen).toHaveLength(7)
  })

  test('failed attempts cost nothing: neither the user, nor the token, nor the channel that failed', async () => {
    await scene.option('RetryTimes', 3)
    const bad = await Promise.all(
      [500, 502, 429].map((status) => scene.channel(errorAnswer(status, { message: 'no' }), { priority: 9 })),
    )
    const other = await scene.channel(good)
    const bill = await scene.bill(async () => expect((await scene.chat()).status).toBe(200))
    expectCharge(bill, 30, { channel: other.id })
    expect(bill.rows[0]?.tried.split(',').map(Number).sort()).toEqual([...bad.map(({ id }) => id), other.id].sort())
    const used = await scene.app.ctx.database.db
      .selectFrom('channels')
      .select(['id', 'used_quota'])
      .orderBy('id')
      .execute()
    expect(used.map(({ used_quota }) => used_quota)).toEqual([0, 0, 0, 30])
  })

  test('no channel is tried twice for one request', async () => {
    await scene.option('RetryTimes', 10)
    const channels = await Promise.all([1, 2, 3].map(() => scene.channel(errorAnswer(500, { message: 'no' }))))
    const bill = await scene.bill(async () => expect((await scene.chat()).status).toBe(500))
    expectFree(bill, { outcome: 'failed' })
    expect(channels.map(({ seen }) => seen.length)).toEqual([1, 1, 1])
  })
})
