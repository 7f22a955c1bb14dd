import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { expectCharge, expectFree } from '#server/testing/expect-charge.ts'
import {
  type Behaviour,
  chatAnswer,
  deltaFrame,
  doneFrame,
  eventStream,
  finishFrame,
  usageFrame,
} from '#server/testing/fake-upstream.ts'
import { type RelayScene, type SceneChannel, startRelayScene } from '#server/testing/relay-scene.ts'

const idleMs = 1000

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ env: { UPSTREAM_IDLE_TIMEOUT: String(idleMs / 1000), ABANDONED_TIMEOUT: '1' } })
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const usage = { prompt_tokens: 10, completion_tokens: 5 }
const soon = () => AbortSignal.timeout(3000)

/** Resolves when the upstream sees its connection closed; throws when that takes too long. */
async function aborted(channel: SceneChannel): Promise<void> {
  const limit = soon()
  while (!channel.seen[0]?.signal.aborted) {
    limit.throwIfAborted()
    await Bun.sleep(5)
  }
}

async function settled(): Promise<void> {
  const limit = soon()
  while ((await scene.books()).holds > 0) {
    limit.throwIfAborted()
    await Bun.sleep(5)
  }
}

/** Starts a request, reads its first piece if it streams, and leaves. */
async function leave(body: Record<string, unknown>, channel: SceneChannel): Promise<void> {
  const leaving = new AbortController()
  const before = channel.seen.length
  const answer = scene.chat(body, { signal: leaving.signal })
  answer.catch(() => {})
  if (body.stream) await (await answer).body?.getReader().read()
  else while (channel.seen.length === before) await Bun.sleep(5)
  leaving.abort()
}

describe('a client that leaves', () => {
  test('a silent stream: the upstream is closed and the request settled at once', async () => {
    // What is counted needs a tokenizer, which takes its time to load at the first use.
    await scene.channel(chatAnswer('warm up', null))
    await scene.chat()
    await scene.clear()
    const channel = await scene.channel(eventStream(deltaFrame('hello'), 900, 60_000))
    const bill = await scene.bill(async () => {
      await leave({ stream: true }, channel)
      await Promise.all([aborted(channel), settled()])
    })
    expectCharge(bill, 12, { outcome: 'cut', prompt_tokens: 8, completion_tokens: 1 })
  })

  test('a plain request that was sent pays what its answer reports', async () => {
    const gate = Promise.withResolvers<void>()
    const channel = await scene.channel(async (seen) => {
      await gate.promise
      return chatAnswer('hello', usage)(seen)
    })
    const bill = await scene.bill(async () => {
      await leave({}, channel)
      await Bun.sleep(20)
      gate.resolve()
      await settled()
    })
    expect(channel.seen[0]?.signal.aborted).toBe(false)
    expectCharge(bill, 30, { outcome: 'cut', prompt_tokens: 10, completion_tokens: 5 })
  })

  test('a plain request that is never answered pays nothing, and the row says that it was cut', async () => {
    const channel = await scene.channel(() => new Promise<Response>(() => {}))
    const bill = await scene.bill(async () => {
      await leave({}, channel)
      await Promise.all([aborted(channel), settled()])
    })
    expectFree(bill, { outcome: 'cut' })
  })

  test('a plain request that fails pays nothing and is tried nowhere else', async () => {
    await scene.option('RetryTimes', 3)
    const gate = Promise.withResolvers<void>()
    const first = await scene.channel(
      async () => {
        await gate.promise
        return new Response('out of order', { status: 500 })
      },
      { priority: 9 },
    )
    const second = await scene.channel(chatAnswer('hello', usage))
    const bill = await scene.bill(async () => {
      await leave({}, first)
      await Bun.sleep(20)
      gate.resolve()
      await settled()
    })
    expectFree(bill, { outcome: 'cut' })
    expect(second.seen).toHaveLength(0)
  })

  test('a stream of which only the role has come pays its prompt', async () => {
    const role = `data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":null}]}\n\n`
    const channel = await scene.channel(eventStream(role, 60_000))
    const bill = await scene.bill(async () => {
      await leave({ stream: true }, channel)
      await Promise.all([aborted(channel), settled()])
    })
    expectCharge(bill, 8, { outcome: 'cut', prompt_tokens: 8, completion_tokens: 0 })
  })

  test.each([
    ['before anything has come', [] as string[]],
    ['at its own end marker', [deltaFrame('END')]],
  ])('a stream with hidden thoughts is read to its end and pays what it reports: %s', async (_, begun) => {
    await scene.option('ModelRatio', '{"gpt-4o": 1, "o3": 1}')
    await scene.option('CompletionRatio', '{"gpt-4o": 4, "o3": 4}')
    const gate = Promise.withResolvers<void>()
    const hidden = { prompt_tokens: 60, completion_tokens: 50_000 }
    const channel = await scene.channel(
      eventStream(...begun, gate.promise, deltaFrame('END'), finishFrame(), usageFrame(hidden), doneFrame),
      { models: 'o3' },
    )
    const bill = await scene.bill(async () => {
      const leaving = new AbortController()
      const answer = scene.chat({ model: 'o3', stream: true }, { signal: leaving.signal })
      answer.catch(() => {})
      if (begun.length > 0) await (await answer).body?.getReader().read()
      else while (channel.seen.length === 0) await Bun.sleep(5)
      leaving.abort()
      await Bun.sleep(20)
      gate.resolve()
      await settled()
    })
    expectCharge(bill, 200_060, { outcome: 'cut', completion_tokens: 50_000 })
  })

  test('a spoken answer is paid whole', async () => {
    await scene.option('ModelRatio', '{"gpt-4o": 1, "tts-1": 7.5}')
    const gate = Promise.withResolvers<void>()
    const channel = await scene.channel(
      () =>
        new Response(
          (async function* () {
            yield new Uint8Array(10)
            await gate.promise
            yield new Uint8Array(10)
          })() as unknown as ReadableStream,
          { headers: { 'content-type': 'audio/mpeg' } },
        ),
      { models: 'tts-1' },
    )
    const bill = await scene.bill(async () => {
      const leaving = new AbortController()
      const body = { model: 'tts-1', input: 'x'.repeat(100), voice: 'alloy' }
      const answer = scene.post('/v1/audio/speech', body, { signal: leaving.signal })
      answer.catch(() => {})
      while (channel.seen.length === 0) await Bun.sleep(5)
      leaving.abort()
      // The relay has to notice it before the answer ends.
      await Bun.sleep(50)
      gate.resolve()
      await settled()
    })
    expectCharge(bill, 750, { outcome: 'cut' })
  })

  test('before a first frame that never comes pays nothing', async () => {
    const channel = await scene.channel(() => new Promise<Response>(() => {}))
    const bill = await scene.bill(async () => {
      const leaving = new AbortController()
      const answer = scene.chat({ stream: true }, { signal: leaving.signal }).catch(() => {})
      while (channel.seen.length === 0) await Bun.sleep(5)
      leaving.abort()
      await answer
      await Promise.all([aborted(channel), settled()])
    })
    expectFree(bill, { outcome: 'cut' })
  })

  test('does not make the relay try another channel, nor blame the one that was asked', async () => {
    await scene.option('RetryTimes', 3)
    const silent: Behaviour = () => new Promise<Response>(() => {})
    const first = await scene.channel(silent, { priority: 9 })
    const second = await scene.channel(silent)
    for (let round = 0; round < 6; round += 1) {
      const leaving = new AbortController()
      scene.chat({ stream: true }, { signal: leaving.signal }).catch(() => {})
      while (first.seen.length <= round) await Bun.sleep(5)
      leaving.abort()
      await settled()
    }
    expect([first.seen.length, second.seen.length]).toEqual([6, 0])
  })

  test('a provider that reports its output only at the end pays what was delivered', async () => {
    const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
    const channel = await scene.channel(
      eventStream(
        event('message_start', {
          message: {
            id: 'm',
            model: 'x',
            role: 'assistant',
            content: [],
            usage: { input_tokens: 25, output_tokens: 1 },
          },
        }),
        event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
        event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'hello hello hello hello' } }),
        900,
        60_000,
      ),
      { type: 14 },
    )
    const bill = await scene.bill(async () => {
      const leaving = new AbortController()
      const response = await scene.chat({ stream: true }, { signal: leaving.signal })
      const reader = response.body?.getReader()
      let text = ''
      while (!text.includes('hello')) text += new TextDecoder().decode((await reader?.read())?.value)
      leaving.abort()
      await Promise.all([aborted(channel), settled()])
    })
    expectCharge(bill, 25 + 4 * 4, { outcome: 'cut', prompt_tokens: 25, completion_tokens: 4 })
  })
})

describe('a client that reads slowly', () => {
  test('is not taken for a provider that has fallen silent', async () => {
    const frames = 300
    const frame = new TextEncoder().encode(deltaFrame('x'.repeat(100_000)))
    const channel = await scene.channel(
      () =>
        new Response(
          (async function* () {
            for (let sent = 0; sent < frames; sent += 1) yield frame
            yield finishFrame() + usageFrame(usage) + doneFrame
          })() as unknown as ReadableStream,
          { headers: { 'content-type': 'text/event-stream' } },
        ),
    )
    const bill = await scene.bill(async () => {
      const response = await scene.chat({ stream: true })
      const reader = response.body?.getReader()
      let last = (await reader?.read())?.value
      // Longer than an upstream may be silent.
      await Bun.sleep(idleMs * 1.5)
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
        if (done) break
        last = value
      }
      expect(new TextDecoder().decode(last)).toEndWith(doneFrame)
    })
    expectCharge(bill, 30, { channel: channel.id })
  })
})
