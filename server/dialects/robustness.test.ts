import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '#shared/testing/thoroughness.ts'
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts'
import type { ChatEvent, ChatRequest } from './chat.ts'
import { BadRequest } from './dialect.ts'
import { gemini } from './gemini/gemini.ts'
import { openaiChat } from './openai-chat/openai-chat.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'

const dialects = [openaiChat, openaiResponses, anthropicMessages, gemini]

/** Words of all four formats, so that random bodies reach deep into the readers. */
const words =
  `model messages input contents role user assistant tool system model content parts text type image_url url input_audio
  data format file file_data source base64 media_type document tool_result tool_use tool_use_id tool_calls function name
  arguments id call_id function_call function_call_output output reasoning summary encrypted_content thinking signature
  redacted_thinking inlineData mimeType functionCall args functionResponse response thoughtSignature thought tools
  functionDeclarations parameters tool_choice max_tokens stream choices delta message finish_reason usage candidates
  finishReason usageMetadata promptFeedback error code status details output_index item index content_block message_start
  content_block_start content_block_delta message_delta response.created response.completed response.output_item.done
  reasoning_details reasoning_content extra_content google images data:image/png;base64,%zz data:,%`.split(/\s+/)

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'large', withCrossShrink: true },
    fc.oneof(fc.constantFrom(...words), fc.constant(null), fc.integer(), fc.boolean(), fc.constant('')),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...words), tie('json'), { maxKeys: 6, noNullPrototype: true }),
  ),
}))

const asked: ChatRequest = { model: 'm', messages: [], stream: true, includeUsage: true }

/** Writes what was read in every format, as a relay between any two of them does. */
function writeEverywhere(events: readonly ChatEvent[]): void {
  for (const dialect of dialects) {
    dialect.encodeResponse(events, asked)
    const encoder = dialect.streamEncoder(asked)
    for (const event of events) encoder.push(event)
    encoder.end()
  }
}

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))('%s', (_id, dialect) => {
  test('nothing an upstream sends makes it throw', () => {
    fc.assert(
      fc.property(json, fc.array(json, { maxLength: 4 }), (body, frames) => {
        const decoder = dialect.streamDecoder()
        const streamed = frames.flatMap((frame) => decoder.push({ data: JSON.stringify(frame) }))
        writeEverywhere([...streamed, ...decoder.end()])
        writeEverywhere(dialect.decodeResponse(body))
        expect(dialect.decodeError(400, body).status).toBeGreaterThanOrEqual(400)
        expect(dialect.decodeError(200, body).status).toBeGreaterThanOrEqual(400)
      }),
      runs(150),
    )
  })

  test('a body is understood and can be sent anywhere, or is refused as a bad request', () => {
    const required = { model: 'm', max_tokens: 5 }
    const list = fc.array(fc.dictionary(fc.constantFrom(...words), json, { maxKeys: 5, noNullPrototype: true }), {
      maxLength: 3,
    })
    fc.assert(
      fc.property(json, list, (extra, items) => {
        const fields = typeof extra === 'object' && extra !== null ? extra : {}
        const turns = items.map((item, index) => ({ role: index % 2 ? 'model' : 'user', ...item }))
        try {
          const request = dialect.decodeRequest({
            ...fields,
            ...required,
            messages: items,
            input: items,
            contents: turns,
          })
          for (const other of dialects) other.encodeRequest(request)
        } catch (error) {
          expect(error).toBeInstanceOf(BadRequest)
        }
      }),
      runs(150),
    )
  })
})

describe('a long request is read to its end, of many', () => {
  const many = <Value>(make: (at: number) => Value): Value[] => Array.from({ length: 60_000 }, (_, at) => make(at))
  test.each([
    [
      'calls of one name',
      gemini,
      { contents: [{ role: 'model', parts: many(() => ({ functionCall: { name: 'f', args: {} } })) }] },
    ],
    [
      'results of one name',
      gemini,
      {
        contents: [
          { role: 'model', parts: many(() => ({ functionCall: { name: 'f', args: {} } })) },
          { role: 'user', parts: many(() => ({ functionResponse: { name: 'f', response: {} } })) },
        ],
      },
    ],
    [
      'items of one turn',
      openaiResponses,
      { input: many((at) => ({ type: 'function_call', call_id: `${at}`, name: 'f', arguments: '{}' })) },
    ],
  ])(
    '%s',
    (_, dialect, body) => {
      expect(dialect.decodeRequest({ model: 'm', stream: false, ...body }).messages).not.toBeEmpty()
    },
    30_000,
  )
})
