import { describe, expect, test } from 'bun:test'
import type { ChatEvent, ChatRequest } from '#server/dialects/chat.ts'
import type { Frame, Json } from '#server/dialects/dialect.ts'
import type { Fixture } from '#server/dialects/fixture.ts'
import { anthropicMessagesFixture } from '#server/dialects/two-way-fixtures/anthropic-messages.ts'
import { geminiFixture } from '#server/dialects/two-way-fixtures/gemini.ts'
import { openaiChatFixture } from '#server/dialects/two-way-fixtures/openai-chat.ts'
import { openaiResponsesFixture } from '#server/dialects/two-way-fixtures/openai-responses.ts'
import { baiduFixture } from './baidu/fixture.ts'
import { dashscopeFixture } from './dashscope/fixture.ts'
import { ollamaFixture } from './ollama/fixture.ts'
import { libraryFixture, palmFixture, tencentV1Fixture, zhipuV3Fixture } from './small-fixtures.ts'
import { sparkFixture } from './spark/fixture.ts'
import { tencentFixture } from './tencent/fixture.ts'

const fixtures: readonly Fixture[] = [
  openaiChatFixture,
  openaiResponsesFixture,
  anthropicMessagesFixture,
  geminiFixture,
  baiduFixture,
  dashscopeFixture,
  tencentFixture,
  sparkFixture,
  ollamaFixture,
  zhipuV3Fixture,
  palmFixture,
  libraryFixture,
  tencentV1Fixture,
]

const asked = (request: Partial<ChatRequest>): ChatRequest => ({
  model: 'm',
  messages: [],
  stream: false,
  includeUsage: false,
  ...request,
})

function isFrame(frame: Frame | Json): frame is Frame {
  return typeof frame === 'object' && frame !== null && !Array.isArray(frame) && typeof frame.data === 'string'
}

/** As the wire has it: without fields that are undefined, with generated ids made comparable. */
const wire = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/"call_[0-9a-f]{32}"/g, '"call_*"'))

function decoded(fixture: Fixture, frames: readonly (Frame | Json)[]): ChatEvent[] {
  const decoder = fixture.dialect.streamDecoder()
  const read = frames.flatMap((frame) => decoder.push(isFrame(frame) ? frame : { data: JSON.stringify(frame) }))
  return [...read, ...decoder.end()]
}

for (const fixture of fixtures)
  describe(fixture.dialect.id, () => {
    test.each(fixture.requests.map((each) => [each.name, each] as const))('asks: %s', (_, { request, body }) => {
      expect(wire(fixture.dialect.encodeRequest(asked(request)))).toEqual(wire(body))
    })
    test.each(fixture.answers.map((each) => [each.name, each] as const))('answers: %s', (_, { body, events }) => {
      expect(wire(fixture.dialect.decodeResponse(body))).toEqual(wire(events))
    })
    test.each(fixture.streams.map((each) => [each.name, each] as const))('streams: %s', (_, { frames, events }) => {
      expect(wire(decoded(fixture, frames))).toEqual(wire(events))
    })
    test.each(fixture.errors.map((each) => [each.name, each] as const))('fails: %s', (_, { status, body, fault }) => {
      expect(fixture.dialect.decodeError(status, body)).toMatchObject(fault)
    })
    test('what cannot be read becomes a fault, not an exception', () => {
      for (const body of [null, 'x', 3, []])
        expect(fixture.dialect.decodeResponse(body)).toMatchObject([{ type: 'fault', fault: { status: 502 } }])
      expect(fixture.dialect.decodeError(500, null).status).toBe(500)
    })
  })

test('an address in an error message is not shown to clients', () => {
  const fault = baiduFixture.dialect.decodeError(200, { error_code: 6, error_msg: 'see https://x.example/a?k=1 now' })
  expect(fault.message).toBe('see [address] now')
})
