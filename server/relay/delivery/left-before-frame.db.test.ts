import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { expectCharge, expectFree } from '#server/testing/expect-charge.ts'
import { deltaFrame, doneFrame, errorAnswer, eventStream } from '#server/testing/fake-upstream.ts'
import { type Bill, type RelayScene, type SceneChannel, startRelayScene } from '#server/testing/relay-scene.ts'

const event = (data: { readonly type: string; readonly [more: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const data = (body: object) => `data: ${JSON.stringify(body)}\n\n`
const usage = { input_tokens: 25, output_tokens: 1, cache_creation_input_tokens: 100 }

/** The first frame of each vendor, and what its prompt costs then: 1 a token, 1.25 for one written to a cache. */
const vendors = [
  { vendor: 'OpenAI', type: 1, charge: 8, frame: deltaFrame('hello'), output: 4 },
  {
    vendor: 'Anthropic',
    type: 14,
    charge: 150,
    frame: event({ type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage } }),
    output: 4,
  },
  {
    vendor: 'Gemini',
    type: 24,
    charge: 31,
    frame: data({
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] } }],
      usageMetadata: { promptTokenCount: 31 },
    }),
    output: 0,
  },
]

const created = event({
  type: 'response.created',
  response: { id: 'resp_1', object: 'response', status: 'in_progress', model: 'm', output: [] },
})

const messages = [{ role: 'user', content: 'hi' }]
const clients = [
  ['OpenAI', '/v1/chat/completions', { model: 'gpt-4o', stream: true, messages }],
  ['responses', '/v1/responses', { model: 'gpt-4o', stream: true, input: 'hi' }],
  ['Anthropic', '/v1/messages', { model: 'gpt-4o', stream: true, max_tokens: 50, messages }],
  [
    'Gemini',
    '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse',
    { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  ],
] as const

describe.each(['own', 'fetch'])('by the upstream client %s', (upstreamClient) => {
  let scene: RelayScene
  beforeAll(async () => {
    scene = await startRelayScene({ env: { UPSTREAM_CLIENT: upstreamClient, ABANDONED_TIMEOUT: '2' } })
  })
  afterEach(() => scene.clear())
  afterAll(async () => {
    expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
    await scene.stop()
  })

  /** Leaves a stream that its vendor has been asked for; the vendor answers after that. */
  const billLeft = (channel: SceneChannel, answers: () => void, [path, body]: readonly [string, object]) =>
    scene.bill(async () => {
      const leaving = new AbortController()
      const answer = scene.post(path, body, { signal: leaving.signal })
      while (channel.seen.length === 0) await Bun.sleep(5)
      leaving.abort()
      expect(await answer.catch(() => 'left')).toBe('left')
      // The relay has to notice it before the answer begins.
      await Bun.sleep(50)
      answers()
    })
  const untilEnded = async (channel: SceneChannel) => {
    while (!channel.seen[0]?.signal.aborted) await Bun.sleep(5)
  }

  describe.each(vendors)(
    'a stream of $vendor that is left before its first frame',
    ({ vendor, type, frame, charge, output }) => {
      test.each(clients)('pays its prompt, asked in the words of %s, and is ended', async (client, path, body) => {
        const gate = Promise.withResolvers<void>()
        const own = client === 'responses' && vendor === 'OpenAI'
        const channel = await scene.channel(eventStream(gate.promise, own ? created : frame, 60_000), { type })
        const bill = await billLeft(channel, gate.resolve, [path, body])
        const row = bill.rows[0]
        expect(row?.completion_tokens).toBeLessThanOrEqual(1)
        expect(row?.prompt_tokens).toBeGreaterThan(0)
        expectCharge(bill, chargeOf(bill, own ? (row?.prompt_tokens ?? 0) : charge, output), { outcome: 'cut' })
        await untilEnded(channel)
      })
    },
  )

  test('one that had begun and showed nothing yet pays its prompt, however long its vendor is silent', async () => {
    const start = vendors[1]?.frame ?? ''
    const channel = await scene.channel(eventStream(start, 60_000), { type: 14 })
    const bill = await billLeft(channel, () => {}, [clients[0][1], clients[0][2]])
    expectCharge(bill, 150 + 4, { outcome: 'cut' })
    await untilEnded(channel)
  })

  test('a vendor that fails before its first frame costs nothing, and no other is asked', async () => {
    await scene.option('RetryTimes', 3)
    for (const fails of [
      errorAnswer(503, { message: 'overloaded' }),
      eventStream(data({ error: { message: 'overloaded', type: 'server_error' } })),
      eventStream(),
      eventStream(event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })),
    ]) {
      const gate = Promise.withResolvers<void>()
      const first = await scene.channel(
        async (seen) => {
          await gate.promise
          return await fails(seen)
        },
        { priority: 9 },
      )
      const second = await scene.channel(eventStream(deltaFrame('hello'), doneFrame))
      const bill = await billLeft(first, gate.resolve, [clients[0][1], clients[0][2]])
      expectFree(bill, { outcome: 'cut', tried: String(first.id) })
      expect([first.seen.length, second.seen.length]).toEqual([1, 0])
      await scene.clear()
      await scene.option('RetryTimes', 3)
    }
  })

  test('forty streams that are left at once pay forty prompts', async () => {
    const gate = Promise.withResolvers<void>()
    const channel = await scene.channel(eventStream(gate.promise, deltaFrame('hello'), 60_000))
    const bill = await scene.bill(async () => {
      const leaving = new AbortController()
      const left = Array.from({ length: 40 }, () =>
        scene.chat({ stream: true, max_tokens: 10 }, { signal: leaving.signal }).catch(() => null),
      )
      while (channel.seen.length < 40) await Bun.sleep(5)
      leaving.abort()
      await Promise.all(left)
      gate.resolve()
    })
    expect(bill.rows).toHaveLength(40)
    expect(-bill.user).toBeGreaterThanOrEqual(40 * 8)
  })

  test('one whose vendor never answers is ended and costs nothing', async () => {
    const channel = await scene.channel(() => new Promise<Response>(() => {}))
    const bill = await billLeft(channel, () => {}, [clients[0][1], clients[0][2]])
    expectFree(bill, { outcome: 'cut' })
    await untilEnded(channel)
  })
})

/** The charge of the prompt, and of the tokens that the first frame had brought. */
const chargeOf = (bill: Bill, prompt: number, output: number): number =>
  prompt + (bill.rows[0]?.completion_tokens ?? 0) * output
