import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { ApiError } from '@google/genai'
import OpenAI from 'openai'
import {
  type Behaviour,
  deltaFrame,
  doneFrame,
  eventStream,
  finishFrame,
  usageFrame,
} from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { type SdkClients, sdkClients } from '#server/testing/sdk-clients.ts'

let scene: RelayScene
let clients: SdkClients
beforeAll(async () => {
  scene = await startRelayScene()
  clients = sdkClients(scene.app.url, scene.key)
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const model = 'gpt-4o'
const question = 'hi'
const complaint = 'overloaded at https://upstream.example/v1 with sk-upstream-secret'
const frame = (data: object, event?: string) =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`

const anthropicOpening = [
  { type: 'message_start', message: { id: 'msg_1', model: 'x', content: [], usage: { input_tokens: 3 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
].map((data) => frame(data, data.type))

const responsesOpening = [
  { type: 'response.created', response: { id: 'resp_1', model: 'x', status: 'in_progress', output: [] } },
  { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'msg_1', content: [] } },
  { type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: 'msg_1', delta: 'Hel' },
].map((data) => frame(data, data.type))

const geminiOpening = frame({ candidates: [{ content: { role: 'model', parts: [{ text: 'Hel' }] }, index: 0 }] })

interface Vendor {
  readonly type: number
  /** How the vendor begins an answer, by the path it is asked at. */
  opening(path: string): readonly string[]
  /** The same failure as each vendor reports it. */
  error(path: string): string
}

const vendors: Record<string, Vendor> = {
  OpenAI: {
    type: 1,
    opening: (path) => (path.endsWith('/responses') ? responsesOpening : [deltaFrame('Hel')]),
    error: (path) =>
      path.endsWith('/responses')
        ? frame({ type: 'error', code: 'server_error', message: complaint }, 'error')
        : frame({ error: { message: complaint, type: 'server_error' } }),
  },
  Anthropic: {
    type: 14,
    opening: () => anthropicOpening,
    error: () => frame({ type: 'error', error: { type: 'overloaded_error', message: complaint } }, 'error'),
  },
  Gemini: {
    type: 24,
    opening: () => [geminiOpening],
    error: () => `${JSON.stringify({ error: { code: 503, message: complaint, status: 'UNAVAILABLE' } }, null, 2)}\n`,
  },
}

/** Words, and once the client has read them an error or nothing at all. */
const breaking =
  (vendor: Vendor, isRead: Promise<unknown>, isReported: boolean): Behaviour =>
  (request) =>
    eventStream(...vendor.opening(request.path), isRead, ...(isReported ? [vendor.error(request.path)] : []))(request)

/** Reads a stream to its end and hands on every word; throws as the client does. */
const readers: Record<string, (read: (text: string) => void) => Promise<unknown>> = {
  'the openai client': async (read) => {
    const messages = [{ role: 'user' as const, content: question }]
    const stream = await clients.openai.chat.completions.create({ model, messages, stream: true })
    for await (const chunk of stream) read(chunk.choices[0]?.delta.content ?? '')
  },
  'the openai client on responses': async (read) => {
    const stream = await clients.openai.responses.create({ model, input: question, stream: true })
    for await (const event of stream) {
      if (event.type === 'response.output_text.delta') read(event.delta)
      if (event.type === 'response.failed')
        throw new OpenAI.APIError(undefined, event.response.error ?? {}, undefined, undefined)
    }
  },
  'the anthropic client': async (read) => {
    const messages = [{ role: 'user' as const, content: question }]
    const stream = clients.anthropic.messages.stream({ model, max_tokens: 50, messages })
    stream.on('text', read)
    await stream.finalMessage()
  },
  'the google client': async (read) => {
    const stream = await clients.google.models.generateContentStream({ model, contents: question })
    for await (const chunk of stream) read(chunk.text ?? '')
  },
}

const errorClasses = [OpenAI.APIError, Anthropic.APIError, ApiError]

describe.each(Object.keys(readers))('%s', (name) => {
  /** What the client received and how it failed. */
  const read = async (vendor: Vendor, isReported: boolean) => {
    const words = Promise.withResolvers<void>()
    await scene.channel(breaking(vendor, words.promise, isReported), { type: vendor.type })
    let received = ''
    const error = await readers[name]?.((text) => {
      received += text
      if (received !== '') words.resolve()
    }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof Error)) throw new Error('the stream ended as if it were whole')
    expect(received).toBe('Hel')
    expect(errorClasses.some((kind) => error instanceof kind)).toBe(true)
    return error
  }

  test.each(Object.entries(vendors))(
    'learns of a fault in mid-stream of %s, and pays for what it got',
    async (_, vendor) => {
      const error = await read(vendor, true)
      const [row] = (await scene.books()).rows
      expect(row).toMatchObject({ outcome: 'failed' })
      expect(row?.quota).toBeGreaterThan(0)
      expect(error.message).toContain('overloaded')
      expect(error.message).toContain(row?.request_id ?? 'no row')
      expect(error.message).not.toMatch(/upstream\.example|sk-upstream/)
    },
  )

  test.each(Object.entries(vendors))('learns that %s has broken off', async (_, vendor) => {
    const error = await read(vendor, false)
    expect(error.message).toContain('ended the answer before it was complete')
  })
})

test('a stream that Google would send as one array stays valid JSON when it breaks', async () => {
  await scene.channel(eventStream(geminiOpening), { type: 24 })
  const body = { contents: [{ role: 'user', parts: [{ text: question }] }] }
  const response = await scene.post(`/v1beta/models/${model}:streamGenerateContent`, body)
  expect(await response.json()).toMatchObject([
    { candidates: [{ content: { parts: [{ text: 'Hel' }] } }] },
    { error: { code: 502, status: 'INTERNAL' } },
  ])
})

const usage = { prompt_tokens: 10, completion_tokens: 5 }
const lines = (end: string) =>
  [deltaFrame('Hel'), deltaFrame('lo'), finishFrame(), usageFrame(usage), doneFrame].map((frame) =>
    frame.replaceAll('\n', end),
  )

describe('a stream is read to its end', () => {
  const read = async (behaviour: Behaviour) => {
    await scene.channel(behaviour)
    const bill = await scene.bill(async () => {
      const stream = await clients.openai.chat.completions.create({
        model,
        messages: [{ role: 'user', content: question }],
        stream: true,
        stream_options: { include_usage: true },
      })
      const chunks = await Array.fromAsync(stream)
      expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Hello')
      expect(chunks.at(-1)?.usage).toMatchObject(usage)
    })
    expect(bill.rows[0]).toMatchObject({ outcome: 'done', quota: 30 })
  }

  test('though its last frame is not closed', () =>
    read(eventStream(...lines('\n').slice(0, 3), usageFrame(usage).trimEnd())))

  test.each(['\r', '\r\n'])('though its lines end in %j', (end) => read(eventStream(...lines(end))))
  test.each(['\r', '\r\n'])('though its lines end in %j and it is cut at every byte', (end) =>
    read(
      eventStream(
        ...lines(end)
          .join('')
          .split('')
          .flatMap((letter) => [letter, 0]),
      ),
    ),
  )

  test('in another dialect, though its lines end in returns', async () => {
    await scene.channel(
      eventStream(
        ...lines('\r')
          .join('')
          .split('')
          .flatMap((letter) => [letter, 0]),
      ),
    )
    const stream = clients.anthropic.messages.stream({
      model,
      max_tokens: 50,
      messages: [{ role: 'user', content: question }],
    })
    expect((await stream.finalMessage()).content).toMatchObject([{ type: 'text', text: 'Hello' }])
  })
})
