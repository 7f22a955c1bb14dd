import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '#shared/testing/thoroughness.ts'
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts'
import type { ChatEvent, ChatRequest, FinishReason, Usage } from './chat.ts'
import { collectAnswer } from './collected-answer.ts'
import type { Dialect } from './dialect.ts'
import { createFrameReader, createFrameWriter } from './framing.ts'
import { gemini } from './gemini/gemini.ts'
import { openaiChat } from './openai-chat/openai-chat.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'
import { tag } from './signature.ts'

const request: ChatRequest = { model: 'asked', messages: [], stream: true, includeUsage: true }

interface Abilities {
  readonly dialect: Dialect
  readonly refuses: boolean
  readonly choices: number
  readonly usage: Usage
}

const abilities: Abilities[] = [
  {
    dialect: openaiChat,
    refuses: true,
    choices: 2,
    usage: { input: 30, output: 12, cacheRead: 7, cacheWrite: 5, reasoning: 4, audioInput: 2 },
  },
  { dialect: openaiResponses, refuses: true, choices: 1, usage: { input: 30, output: 12, cacheRead: 7, reasoning: 4 } },
  {
    dialect: anthropicMessages,
    refuses: false,
    choices: 1,
    usage: { input: 30, output: 12, cacheRead: 7, cacheWrite: 5, cacheWriteLong: 3, reasoning: 4 },
  },
  { dialect: gemini, refuses: false, choices: 2, usage: { input: 30, output: 12, cacheRead: 7, reasoning: 4 } },
]

const word = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
const token = fc.stringMatching(/^[a-z]{1,10}$/)
const object = fc.dictionary(token, fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxKeys: 3 })

function proofOf(dialect: Dialect, raw: string): string {
  if (dialect.id === 'openai-responses') return tag('openai-responses', `rs_1 ${raw}`)
  if (dialect.id === 'gemini') return tag('gemini', raw)
  return dialect.id === 'openai-chat' ? tag('openai-chat', raw) : tag('anthropic-messages', raw)
}

function choiceEvents(able: Abilities, choice: number): fc.Arbitrary<ChatEvent[]> {
  const at = choice === 0 ? {} : { choice }
  return fc
    .record({
      // No two thoughts are signed alike.
      thoughts: fc.uniqueArray(fc.record({ words: fc.array(word, { minLength: 1, maxLength: 3 }), raw: token }), {
        maxLength: 2,
        selector: ({ raw }) => raw,
      }),
      said: fc.array(word, { minLength: 1, maxLength: 4 }),
      refused: fc.option(word),
      calls: fc.array(fc.record({ name: token, arguments: object, cut: fc.nat() }), { maxLength: 3 }),
      ending: fc.constantFrom<FinishReason>('stop', 'length', 'content-filter'),
    })
    .map(({ thoughts, said, refused, calls, ending }): ChatEvent[] => [
      ...thoughts.flatMap(({ words, raw }): ChatEvent[] => [
        ...words.map((text): ChatEvent => ({ type: 'reasoning-delta', text, ...at })),
        { type: 'reasoning-signature', signature: proofOf(able.dialect, raw), ...at },
      ]),
      ...said.map((text): ChatEvent => ({ type: 'text-delta', text, ...at })),
      ...(refused && able.refuses ? [{ type: 'refusal-delta' as const, text: refused, ...at }] : []),
      ...calls.flatMap((call, index): ChatEvent[] => {
        const text = JSON.stringify(call.arguments)
        const middle = call.cut % text.length
        return [
          { type: 'tool-call-start', index, id: `call_${choice}_${index}`, name: call.name, ...at },
          { type: 'tool-call-delta', index, arguments: text.slice(0, middle), ...at },
          { type: 'tool-call-delta', index, arguments: text.slice(middle), ...at },
        ]
      }),
      { type: 'finish', reason: ending === 'stop' && calls.length > 0 ? 'tool-calls' : ending, ...at },
    ])
}

function answer(able: Abilities): fc.Arbitrary<ChatEvent[]> {
  const choices = Array.from({ length: able.choices }, (_, choice) => choiceEvents(able, choice))
  return fc
    .tuple(...choices)
    .map((lists): ChatEvent[] => [
      { type: 'start', id: 'abc', model: 'answered', created: 1_700_000_000 },
      ...lists.flat(),
      { type: 'usage', usage: able.usage },
    ])
}

function wireOf(dialect: Dialect, events: readonly ChatEvent[]): Uint8Array {
  const encoder = dialect.streamEncoder(request)
  const writer = createFrameWriter(dialect.framing)
  const frames = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()]
  return new TextEncoder().encode(frames.map(writer.write).join('') + writer.end())
}

function read(dialect: Dialect, wire: Uint8Array, step = wire.length): ChatEvent[] {
  const reader = createFrameReader(dialect.framing)
  const decoder = dialect.streamDecoder()
  const events: ChatEvent[] = []
  for (let at = 0; at < wire.length; at += step) {
    for (const frame of reader.push(wire.subarray(at, at + step))) events.push(...decoder.push(frame))
  }
  for (const frame of reader.end()) events.push(...decoder.push(frame))
  return [...events, ...decoder.end()]
}

const bareCall: readonly ChatEvent[] = [
  { type: 'start', id: 'abc', model: 'answered' },
  { type: 'tool-call-start', index: 0, id: 'call_1', name: 'f' },
  { type: 'tool-call-start', index: 1, id: 'call_2', name: 'g' },
  { type: 'tool-call-delta', index: 1, arguments: '{"a":1}' },
]

describe.each(abilities.map((able) => [able.dialect.id, able] as const))('%s', (_id, able) => {
  const { dialect } = able

  test('a stream we write is read back as the same answer, however it is cut into chunks', () => {
    fc.assert(
      fc.property(answer(able), fc.integer({ min: 1, max: 50 }), (events, step) => {
        const before = collectAnswer(events)
        const after = collectAnswer(read(dialect, wireOf(dialect, events), step))
        expect(after.choices as unknown).toEqual(before.choices.map((choice) => expect.objectContaining(choice)))
        expect(after.usage).toEqual(able.usage)
        expect(after.model).toBe('answered')
        expect(after.id).toEndWith('abc')
      }),
      runs(50),
    )
  })

  test('a plain answer we write is read back as the same answer', () => {
    fc.assert(
      fc.property(answer(able), (events) => {
        const body = JSON.parse(JSON.stringify(dialect.encodeResponse(events, request)))
        const before = collectAnswer(events)
        const after = collectAnswer(dialect.decodeResponse(body))
        expect(after.choices.map((choice) => choice.parts)).toEqual(before.choices.map((choice) => choice.parts))
        expect(after.choices.map((choice) => choice.finish)).toEqual(before.choices.map((choice) => choice.finish))
        expect(after.usage).toEqual(able.usage)
      }),
      runs(50),
    )
  })

  test('a stream cut at any byte yields the events of the whole up to the cut, and no end', () => {
    fc.assert(
      fc.property(answer(able), fc.nat(), (events, where) => {
        const wire = wireOf(dialect, events)
        const whole = read(dialect, wire)
        const cut = read(dialect, wire.subarray(0, where % wire.length))
        expect(cut).toEqual(whole.slice(0, cut.length))
      }),
      runs(100),
    )
  })

  test('a call of which no arguments came has an empty object of them', () => {
    const events: ChatEvent[] = [...bareCall, { type: 'finish', reason: 'tool-calls' }]
    expect(collectAnswer(read(dialect, wireOf(dialect, events))).choices).toMatchObject([
      { parts: [{ arguments: '{}' }, { arguments: '{"a":1}' }] },
    ])
  })

  test('an unknown event is nothing, and broken JSON is a fault', () => {
    const decoder = dialect.streamDecoder()
    expect(
      decoder.push({ event: 'news', data: '{"type":"response.brand_new","x":1}' }).filter((e) => e.type !== 'start'),
    ).toEqual([])
    expect(decoder.push({ data: 'null' })).toEqual([])
    expect(decoder.push({ data: '{"broken' })).toMatchObject([{ type: 'fault', fault: { status: 502 } }])
  })
})

test('a call that the limit cut short before its arguments has none', () => {
  const events: ChatEvent[] = [...bareCall, { type: 'finish', reason: 'length' }]
  expect(collectAnswer(read(openaiChat, wireOf(openaiChat, events))).choices).toMatchObject([
    { parts: [{ arguments: '' }, { arguments: '{"a":1}' }] },
  ])
})
