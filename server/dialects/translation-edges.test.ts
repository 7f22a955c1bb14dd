import { describe, expect, test } from 'bun:test'
import { arrayOf, objectOf } from '#server/lib/json.ts'
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts'
import { refuseUncarried } from './carried.ts'
import type { ChatEvent } from './chat.ts'
import { BadRequest } from './dialect.ts'
import { gemini } from './gemini/gemini.ts'
import { openaiChat } from './openai-chat/openai-chat.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'
import { withSafeNames } from './tools/tool-names.ts'

const hi = { role: 'user', content: 'hi' }
const toClaude = (body: Record<string, unknown>) =>
  objectOf(anthropicMessages.encodeRequest(openaiChat.decodeRequest({ model: 'm', ...body }))) ?? {}

describe('to Claude', () => {
  test('ids of calls keep to its characters, the same in the call and in its result', () => {
    const { messages } = toClaude({
      messages: [
        hi,
        {
          role: 'assistant',
          tool_calls: [{ id: 'functions.read:0', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'functions.read:0', content: 'x' },
      ],
    })
    const [, turn, result] = arrayOf(messages).map((message) => objectOf(arrayOf(objectOf(message)?.content)[0]))
    expect(turn?.id).toMatch(/^[a-zA-Z0-9_-]+$/)
    expect(result?.tool_use_id).toBe(turn?.id)
  })

  test('blank texts are left out and the user begins', () => {
    const { messages } = toClaude({
      messages: [
        { role: 'assistant', content: 'hello' },
        { role: 'user', content: ' \n' },
        { role: 'user', content: 'hi' },
      ],
    })
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: '.' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'hello' }] },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    ])
  })

  test('blank instructions are left out too', () => {
    const said = (...texts: string[]) =>
      toClaude({ messages: [...texts.map((content) => ({ role: 'system', content })), hi] }).system
    expect(said(' \n')).toBeUndefined()
    expect(said(' ', '\t')).toBeUndefined()
    expect(said(' ', 'be brief')).toBe('be brief')
  })

  test('an answer to go on with ends without blanks', () => {
    const { messages } = toClaude({ messages: [hi, { role: 'assistant', content: 'It is \n' }] })
    expect(arrayOf(messages).at(-1)).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'It is' }] })
  })

  test('a picture that names its type as browsers do not is named as they do', () => {
    const picture = { type: 'image_url', image_url: { url: 'data:image/jpg;base64,AAAA' } }
    const { messages } = toClaude({ messages: [{ role: 'user', content: [picture] }] })
    const source = { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' }
    expect(messages).toEqual([{ role: 'user', content: [{ type: 'image', source }] }])
  })

  test('arguments are always an object without a choice at the top', () => {
    const variants = [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] },
    ]
    const { tools } = toClaude({
      messages: [hi],
      tools: [{}, { anyOf: variants }, { properties: { c: {} } }].map((parameters, at) => ({
        type: 'function',
        function: { name: `f${at}`, parameters },
      })),
    })
    expect(arrayOf(tools).map((tool) => objectOf(tool)?.input_schema)).toEqual([
      { type: 'object', properties: {} },
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } },
      { type: 'object', properties: { c: {} } },
    ])
  })

  test('sound, several answers and logprobs are refused by name', () => {
    const sound = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }
    const asks = [
      [{ messages: [{ role: 'user', content: [sound] }] }, /audio/],
      [{ messages: [hi], n: 2 }, /^n /],
      [{ messages: [hi], logprobs: true }, /logprobs/],
    ] as const
    for (const [body, name] of asks) {
      const request = openaiChat.decodeRequest({ model: 'm', ...body })
      expect(() => refuseUncarried(request, anthropicMessages)).toThrow(BadRequest)
      expect(() => refuseUncarried(request, anthropicMessages)).toThrow(name)
    }
    expect(() => openaiChat.decodeRequest({ model: 'm', messages: [hi], modalities: ['text', 'audio'] })).toThrow(
      /audio/,
    )
  })
})

describe('to OpenAI', () => {
  const long = `mcp.files.${'x'.repeat(70)}`

  test('long names and names with dots are mapped, and mapped back', () => {
    const asked = gemini.decodeRequest({
      model: 'm',
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts: [{ functionCall: { name: long, args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: long, response: { output: 'x' } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: long }, { name: 'plain' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [long] } },
    })
    const { request, upstream } = withSafeNames(asked, openaiChat)
    const [first] = request.tools ?? []
    expect(first?.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(request.toolChoice).toEqual({ name: first?.name ?? '' })
    expect(JSON.stringify(upstream.encodeRequest(request))).not.toContain(long)
    const answer = {
      choices: [
        {
          message: {
            tool_calls: [{ id: 'c', type: 'function', function: { name: first?.name ?? '', arguments: '{}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    }
    const started = (events: ChatEvent[]) => events.find((event) => event.type === 'tool-call-start')
    expect(started(upstream.decodeResponse(answer))).toMatchObject({ name: long })
    expect(started(upstream.streamDecoder().push({ data: JSON.stringify(answer) }))).toMatchObject({ name: long })
  })

  test("Anthropic's tools that clients run become functions; those it runs itself are left out", () => {
    const request = anthropicMessages.decodeRequest({
      model: 'm',
      max_tokens: 5,
      messages: [hi],
      tools: [
        { type: 'bash_20250124', name: 'bash' },
        { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
        { type: 'memory_20250818', name: 'memory' },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
    })
    expect(request.tools?.map(({ name }) => name)).toEqual(['bash', 'str_replace_based_edit_tool', 'memory'])
    expect(request.tools?.[0]?.parameters).toMatchObject({ properties: { command: { type: 'string' } } })
    expect(request.leftOut).toEqual(['web_search_20250305'])
  })

  test("Google's search is left out and named", () => {
    const request = gemini.decodeRequest({
      model: 'm',
      contents: [{ parts: [{ text: 'hi' }] }],
      tools: [{ googleSearch: {} }],
    })
    expect(request.leftOut).toEqual(['googleSearch'])
    expect(request.tools).toBeUndefined()
  })

  test('an empty turn between a call and its result is left out', () => {
    const request = gemini.decodeRequest({
      model: 'm',
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts: [{ functionCall: { id: 'a', name: 'f', args: {} } }] },
        { role: 'model', parts: [{ text: '' }] },
        { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'f', response: { output: 'x' } } }] },
      ],
    })
    expect(request.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })

  test('bytes in the alphabet for addresses are written in the standard one', () => {
    const { messages } = gemini.decodeRequest({
      model: 'm',
      contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: '-_-_aQ' } }] }],
    })
    expect(messages[0]?.parts[0]).toEqual({ type: 'image', url: 'data:image/png;base64,+/+/aQ==' })
  })
})

test('from Anthropic, the form of the answer is read where older clients put it, and servers of tools are named', () => {
  const schema = { type: 'object', properties: {}, additionalProperties: false }
  const ask = { model: 'm', max_tokens: 5, messages: [hi] }
  const format = { type: 'json_schema', schema }
  const mcp_servers = [{ type: 'url', url: 'https://mcp.example', name: 'files' }]
  const request = anthropicMessages.decodeRequest({ ...ask, output_format: format, mcp_servers })
  expect(request.responseFormat).toEqual({ type: 'json-schema', name: 'answer', schema })
  expect(request.leftOut).toEqual(['mcp_servers'])
})

test('a film is refused by name, and not sent as a document, where nobody would see it', () => {
  const film = { inlineData: { mimeType: 'video/mp4', data: 'AAAA' } }
  const request = gemini.decodeRequest({ model: 'm', contents: [{ role: 'user', parts: [film] }] })
  for (const dialect of [openaiChat, openaiResponses, anthropicMessages])
    expect(() => refuseUncarried(request, dialect)).toThrow(/video/)
  expect(() => refuseUncarried(request, gemini)).not.toThrow()
})

test("a thread is answered with the error Anthropic's clients fall back on", () => {
  const ask = { model: 'm', max_tokens: 5, messages: [hi], thread: { type: 'create' } }
  try {
    anthropicMessages.decodeRequest(ask)
    throw new Error('not refused')
  } catch (error) {
    expect(error).toBeInstanceOf(BadRequest)
    expect((error as BadRequest).details).toEqual({ error_code: 'thread_unsupported_request' })
  }
})

test("details of Anthropic's errors survive, without keys and addresses", () => {
  const fault = anthropicMessages.decodeError(404, {
    type: 'error',
    error: {
      type: 'not_found_error',
      message: 'gone',
      details: { error_code: 'thread_not_found', at: 'https://x.example' },
    },
  })
  expect(anthropicMessages.encodeError(fault, '')).toMatchObject({
    error: { details: { error_code: 'thread_not_found', at: '[address]' } },
  })
})

test('text blocks of a translated message have no citations', () => {
  const events: ChatEvent[] = [
    { type: 'text-delta', text: 'hi' },
    { type: 'finish', reason: 'stop' },
  ]
  const request = anthropicMessages.decodeRequest({ model: 'm', max_tokens: 5, messages: [hi] })
  expect(objectOf(anthropicMessages.encodeResponse(events, request))?.content).toEqual([{ type: 'text', text: 'hi' }])
})

test('the usage of a response always says what was written to the cache', () => {
  const events: ChatEvent[] = [
    { type: 'usage', usage: { input: 1, output: 1 } },
    { type: 'finish', reason: 'stop' },
  ]
  const answer = objectOf(
    openaiResponses.encodeResponse(events, openaiResponses.decodeRequest({ model: 'm', input: 'x' })),
  )
  expect(objectOf(answer?.usage)?.input_tokens_details).toEqual({ cached_tokens: 0, cache_write_tokens: 0 })
})

test('custom tools of chat completions come back as custom calls', () => {
  const request = openaiChat.decodeRequest({
    model: 'm',
    messages: [hi],
    tools: [{ type: 'custom', custom: { name: 'patch', description: 'd', format: { type: 'text' } } }],
  })
  const events: ChatEvent[] = [
    { type: 'tool-call-start', index: 0, id: 'c', name: 'patch' },
    { type: 'tool-call-delta', index: 0, arguments: '{"input":"a' },
    { type: 'tool-call-delta', index: 0, arguments: 'b"}' },
    { type: 'finish', reason: 'tool-calls' },
  ]
  const expected = { id: 'c', type: 'custom', custom: { name: 'patch', input: 'ab' } }
  expect(JSON.stringify(openaiChat.encodeResponse(events, request))).toContain(JSON.stringify(expected))
  const encoder = openaiChat.streamEncoder(request)
  const frames = events.flatMap((event) => encoder.push(event)).map(({ data }) => data)
  expect(frames.join('')).toContain(JSON.stringify({ index: 0, ...expected }))
  expect(frames.join('')).not.toContain('"function"')
})

const errorFrames: [string, string][] = [
  ['error', '{"message":"the model is on fire"}'],
  ['error', '{"detail":"the model is on fire"}'],
  ['error', '{"detail":{"message":"the model is on fire"}}'],
  ['error', '{"detail":{"error":"the model is on fire"}}'],
  ['error', '{"detail":[{"loc":["body"],"msg":"the model is on fire"}]}'],
  ['error', '{"error":{"message":"the model is on fire"}}'],
  ['error', 'the model is on fire'],
]

test.each([openaiChat, openaiResponses, anthropicMessages, gemini].map((dialect) => [dialect.id, dialect] as const))(
  'the text of an error in a stream of %s survives in every form',
  (_id, dialect) => {
    for (const [event, data] of errorFrames) {
      expect(dialect.streamDecoder().push({ event, data })).toMatchObject([
        { type: 'fault', fault: { message: 'the model is on fire' } },
      ])
    }
  },
)
