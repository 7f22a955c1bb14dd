import { describe, expect, test } from 'bun:test'
import type { ChatEvent, ChatRequest } from '#server/dialects/chat.ts'
import type { Frame, Json } from '#server/dialects/dialect.ts'
import type { Fixture } from '#server/dialects/fixture.ts'
import { anthropicMessagesFixture } from '#server/dialects/two-way-fixtures/anthropic-messages.ts'
import { geminiFixture } from '#server/dialects/two-way-fixtures/gemini.ts'
import { openaiChatFixture } from '#server/dialects/two-way-fixtures/openai-chat.ts'
import { openaiResponsesFixture } from '#server/dialects/two-way-fixtures/openai-responses.ts'
import { type Cells, checkTable } from '#shared/testing/table.ts'
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

function decoded(dialect: Fixture['dialect'], frames: readonly (Frame | Json)[]): ChatEvent[] {
  const decoder = dialect.streamDecoder()
  const read = frames.flatMap((frame) => decoder.push(isFrame(frame) ? frame : { data: JSON.stringify(frame) }))
  return [...read, ...decoder.end()]
}

/** A cell for each recorded request, answer, stream and error of a dialect. */
const recorded = ({ dialect, ...fixture }: Fixture): Cells<() => void> => [
  ...fixture.requests.map(
    ({ name, request, body }) =>
      [`asks: ${name}`, () => expect(wire(dialect.encodeRequest(asked(request)))).toEqual(wire(body))] as const,
  ),
  ...fixture.answers.map(
    ({ name, body, events }) =>
      [`answers: ${name}`, () => expect(wire(dialect.decodeResponse(body))).toEqual(wire(events))] as const,
  ),
  ...fixture.streams.map(
    ({ name, frames, events }) =>
      [`streams: ${name}`, () => expect(wire(decoded(dialect, frames))).toEqual(wire(events))] as const,
  ),
  ...fixture.errors.map(
    ({ name, status, body, fault }) =>
      [`fails: ${name}`, () => expect(dialect.decodeError(status, body)).toMatchObject(fault)] as const,
  ),
]

for (const fixture of fixtures)
  describe(fixture.dialect.id, () => {
    test('translates what was recorded, both ways', async () => {
      await checkTable(recorded(fixture), async (check) => check())
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
