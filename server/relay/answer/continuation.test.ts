import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import type { ChatEvent } from '#server/dialects/chat.ts'
import type { Dialect } from '#server/dialects/dialect.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { createMeter } from '#server/relay/metering/meter.ts'
import { runs } from '#shared/testing/thoroughness.ts'
import { passThrough } from './passage.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

interface Seen {
  readonly text: string
  readonly events: readonly ChatEvent[]
}

/** What a client gets and the meter sees of a stream that arrives in these chunks. */
function passed(dialect: Dialect, chunks: readonly Uint8Array[], model: string): Seen {
  const events: ChatEvent[] = []
  const meter = createMeter()
  const see = meter.see.bind(meter)
  meter.see = (event) => {
    // Calls without an id are given one by chance.
    events.push(event.type === 'tool-call-start' ? { ...event, id: '' } : event)
    see(event)
  }
  const passage = passThrough({
    upstream: dialect,
    client: dialect,
    meter,
    hideUsage: dialect.usageOnRequest !== undefined,
    hideCost: false,
    answers: 1,
    jsonArray: false,
    model,
  })
  const pieces = [...chunks.flatMap((chunk) => passage.push(chunk)), ...passage.end(), ...passage.release()]
  return {
    text: pieces.map((piece) => (typeof piece === 'string' ? piece : decoder.decode(piece))).join(''),
    events,
  }
}

/** A frame a piece; and the same torn, so that no piece is a frame. */
const whole = (frames: readonly string[]) => frames.map((frame) => encoder.encode(frame))
const torn = (frames: readonly string[]) =>
  whole(frames).flatMap((bytes) => [bytes.slice(0, bytes.length >> 1), bytes.slice(bytes.length >> 1)])

const chatFrame = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', created: 1, model: 'vendor', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`
const chatEnd = [
  `data: ${JSON.stringify({ id: 'a', model: 'vendor', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
  `data: ${JSON.stringify({ id: 'a', model: 'vendor', choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } })}\n\n`,
  'data: [DONE]\n\n',
]

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('"model":"vendor"', '\\', '"', '\n\n', 'data: [DONE]', 'content', 'é', '🚂', '', ' the'),
)
const delta = fc.oneof(
  { weight: 8, arbitrary: words.map((content) => chatFrame({ content })) },
  words.map((content) => chatFrame({ content }, { obfuscation: 'aB3x'.slice(content.length % 5) })),
  words.map((text) => chatFrame({ reasoning_content: text })),
  words.map((text) => chatFrame({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: text } }] })),
  words.map((text) => chatFrame({ tool_calls: [{ index: 0, function: { arguments: text } }] })),
  fc.constantFrom(
    ': a comment\n\n',
    'data: {"broken\n\n',
    chatFrame({ content: 'x' }, { usage: { prompt_tokens: 1 } }),
  ),
)

describe('frames that continue the one before', () => {
  test.each(['vendor', 'asked'])('pass and are seen as they would be taken apart, asked for as %s', (model) => {
    fc.assert(
      fc.property(fc.array(delta, { maxLength: 12 }), (frames) => {
        const all = [...frames, ...chatEnd]
        expect(passed(openaiChat, whole(all), model)).toEqual(passed(openaiChat, torn(all), model))
      }),
      runs(300),
    )
  })

  test('are seen in another dialect, too', () => {
    const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
    const frames = [
      event('message_start', { message: { id: 'm', model: 'vendor', usage: { input_tokens: 3, output_tokens: 1 } } }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...['One', ' two', ' "three"\n', ' four'].map((text) =>
        event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      ),
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } }),
      event('message_stop', {}),
    ]
    const seen = passed(anthropicMessages, whole(frames), 'asked')
    expect(seen).toEqual(passed(anthropicMessages, torn(frames), 'asked'))
    expect(seen.text).toContain('"model":"asked"')
    const said = seen.events.flatMap((one) => (one.type === 'text-delta' ? [one.text] : []))
    expect(said).toEqual(['One', ' two', ' "three"\n', ' four'])
  })
})
