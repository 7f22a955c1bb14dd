import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { openSocket, type SocketClient } from '#server/testing/socket-client.ts'
import { type SocketUpstream, startSocketUpstream } from '#server/testing/socket-upstream.ts'

let scene: RelayScene
let vendor: SocketUpstream
/** What the vendor says to whoever asks, and how it closes afterwards. */
let events: object[] = []
let closing: { code: number; reason: string } | null = null

const words = 'hello '.repeat(100)
const vendorKey = 'the-secret-key-of-the-vendor'
const usage = { total_tokens: 200, input_tokens: 100, output_tokens: 100 }

beforeAll(async () => {
  scene = await startRelayScene()
  vendor = startSocketUpstream((socket, frame) => {
    if (!/response\.create|\.commit/.test(String(frame))) return
    for (const event of events) socket.send(JSON.stringify(event))
    if (closing) socket.close(closing.code, closing.reason)
  })
})
afterEach(async () => {
  closing = null
  await scene.clear()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await vendor.stop()
  await scene.stop()
})

async function open(): Promise<SocketClient> {
  await scene.channel(() => new Response(), { models: 'gpt-realtime', base_url: vendor.url, key: vendorKey })
  const headers = { authorization: `Bearer ${scene.key}` }
  return openSocket(`${scene.app.url}/v1/realtime?model=gpt-realtime`, { headers })
}

/** Asks, waits until all that the vendor says has come, and leaves. */
async function asked(client: SocketClient, ...frames: object[]): Promise<void> {
  for (const frame of frames) client.say(frame)
  await eventually(
    () => client.frames.length,
    (count) => count === events.length,
  )
  client.leave()
  await client.end()
}

const answered = (more: object) => ({ type: 'response.done', response: { id: 'r', status: 'completed', ...more } })

describe('a vendor of a realtime session', () => {
  test('that ends an answer twice is paid once', async () => {
    events = [answered({ usage }), answered({ usage })]
    const bill = await scene.bill(async () => asked(await open(), { type: 'response.create' }))
    // 100 × 2 + 100 × 8
    expect(bill.rows.map(({ quota }) => quota)).toEqual([1000])
    expect(bill.user).toBe(-1000)
  })

  const begun = { type: 'response.created', response: { id: 'r' } }
  const done = answered({ usage })
  const create = { type: 'response.create' }
  const spoken = { type: 'input_audio_buffer.commit' }

  test.each([
    ['ends an answer once more after its client spoke again is paid once', [done], [done], spoken, 1000],
    ['ends an answer once more after the next was asked for is paid once', [begun, done], [done], create, 1000],
    ['calls every answer by the same name is paid for each', [begun, done], [begun, done], create, 2000],
    ['calls them so and says nothing before their end is paid for each', [done], [done], create, 2000],
  ])('that %s', async (_, first, second, frame, cost) => {
    const bill = await scene.bill(async () => {
      const client = await open()
      events = first
      client.say(create)
      await eventually(
        () => client.frames.length,
        (count) => count === first.length,
      )
      client.frames.length = 0
      events = second
      await asked(client, frame)
    })
    expect(bill.user).toBe(-cost)
  })

  const unnamed = { type: 'response.output_text.delta', delta: words }

  test.each([
    ['has begun', [begun, unnamed, done]],
    ['has not begun by its own account', [unnamed, done]],
  ])('that does not say to which answer its words belong is paid once for an answer that %s', async (_, said) => {
    events = said
    const bill = await scene.bill(async () => asked(await open(), create))
    expect(bill.rows.map(({ quota }) => quota)).toEqual([1000])
    expect(bill.user).toBe(-1000)
  })

  test('that says all at the end and reports nothing is paid by what it said', async () => {
    const said = { type: 'message', content: [{ type: 'output_text', text: words }] }
    const called = { type: 'function_call', name: 'look', arguments: words }
    events = [answered({ output: [said, called] })]
    const bill = await scene.bill(async () => asked(await open(), { type: 'response.create' }))
    expect(-bill.user).toBeGreaterThanOrEqual(1600)
    expect(-bill.user).toBeLessThan(4000)
  })

  test('that names its key in an error or at the end shows it to nobody', async () => {
    events = [{ type: 'error', error: { message: `Incorrect API key provided: ${vendorKey}.` } }]
    closing = { code: 3000, reason: `no such key: ${vendorKey}` }
    const bill = await scene.bill(async () => {
      const client = await open()
      client.say({ type: 'response.create' })
      expect(await client.end()).toEqual({ code: 3000, reason: 'no such key: [key]' })
      expect(client.frames.map(String)).toEqual([
        '{"type":"error","error":{"message":"Incorrect API key provided: [key]."}}',
      ])
    })
    expect(bill.user).toBe(0)
  })

  test('that names its address in an error or at the end shows it to nobody, and what it answers stays as it is', async () => {
    const at = 'http://10.1.2.3:8000/v1'
    const failed = (address: string) => ({
      type: 'response.done',
      response: { id: 'r', status: 'failed', status_details: { error: { message: `${address} failed` } } },
    })
    const said = { type: 'response.output_text.done', text: `"error" at ${at}`, error: null }
    events = [said, failed(at), { type: 'error', error: { message: `no way to ${at}` } }]
    closing = { code: 3000, reason: `${at} is closing` }
    const client = await open()
    client.say({ type: 'response.create' })
    expect(await client.end()).toEqual({ code: 3000, reason: '[address] is closing' })
    expect(client.frames.map((frame) => JSON.parse(String(frame)))).toEqual([
      said,
      failed('[address]'),
      { type: 'error', error: { message: 'no way to [address]' } },
    ])
  })
})

describe('what is written down in a session', () => {
  const transcript = (stage: string, more: object) => ({
    type: `conversation.item.input_audio_transcription.${stage}`,
    item_id: 'i',
    content_index: 0,
    ...more,
  })
  const transcription = (model: string) => ({
    type: 'session.update',
    session: { audio: { input: { transcription: { model } } } },
  })
  const audio = Buffer.alloc(48_000 * 20).toString('base64')
  const spoken = [{ type: 'input_audio_buffer.append', audio }, { type: 'input_audio_buffer.commit' }]

  test.each([1e12, -5, 'long', null])('costs its own length when %s seconds are reported', async (seconds) => {
    events = [transcript('completed', { transcript: 'hello', usage: { type: 'duration', seconds } })]
    const bill = await scene.bill(async () => asked(await open(), transcription('whisper-1'), ...spoken))
    // 20 s at $0.0001.
    expect(bill.user).toBe(-1000)
  })

  test('and said to be done twice is paid once', async () => {
    const done = transcript('completed', { transcript: 'hello', usage: { type: 'duration', seconds: 20 } })
    events = [done, done]
    const bill = await scene.bill(async () => asked(await open(), transcription('whisper-1'), ...spoken))
    expect(bill.user).toBe(-1000)
  })

  test('and left before it was reported is paid by estimation', async () => {
    events = [transcript('delta', { delta: 'hello' })]
    const bill = await scene.bill(async () => asked(await open(), transcription('whisper-1'), ...spoken))
    expect(bill.rows.map(({ quota, model_name: model }) => [quota, model])).toEqual([[1000, 'whisper-1']])
    expect(bill.user).toBe(-1000)
  })
})
