import { describe, expect, test } from 'bun:test'
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts'
import type { ChatFault } from './chat.ts'
import { BadRequest, type ClientDialect } from './dialect.ts'
import { gemini } from './gemini/gemini.ts'
import { openaiChat } from './openai-chat/openai-chat.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'

const hi = [{ role: 'user', content: 'hi' }]
const parts = [{ text: 'hi' }]

const refused: [ClientDialect, string, unknown, string][] = [
  [openaiChat, 'no messages', { model: 'm' }, 'messages is required and must be a list'],
  [openaiChat, 'messages that are no list', { model: 'm', messages: 'x' }, 'messages must be a list'],
  [openaiChat, 'an empty list', { model: 'm', messages: [] }, 'messages must hold at least one message'],
  [openaiChat, 'no model', { messages: hi }, 'model is required and must be a string'],
  [openaiChat, 'no object at all', 'x', 'The request body must be an object'],
  [openaiChat, 'a number as text', { model: 'm', messages: hi, temperature: '1' }, 'temperature must be a number'],
  [
    openaiChat,
    'an unknown role',
    { model: 'm', messages: [{ role: 'boss', content: 'x' }] },
    'messages[0].role must be system, developer, user, assistant or tool',
  ],
  [
    openaiChat,
    'an unknown part',
    { model: 'm', messages: [{ role: 'user', content: [{ type: 'video_url' }] }] },
    'messages[0].content[0].type "video_url" cannot be sent to this model',
  ],
  [
    openaiChat,
    'a stored file',
    { model: 'm', messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }] },
    'messages[0].content[0].file.file_data is required: stored files cannot be sent to this model',
  ],
  [
    openaiChat,
    'a result without its call',
    { model: 'm', messages: [{ role: 'tool', content: 'x' }] },
    'messages[0].tool_call_id is required and must be a string',
  ],
  [
    openaiChat,
    'functions',
    { model: 'm', messages: hi, functions: [] },
    'functions is not supported: use tools instead',
  ],
  [openaiResponses, 'no input', { model: 'm' }, 'input is required'],
  [
    openaiResponses,
    'a stored answer',
    { model: 'm', input: 'x', previous_response_id: 'r' },
    'previous_response_id is not supported with this model: send the earlier items as input instead',
  ],
  [
    openaiResponses,
    'a stored conversation',
    { model: 'm', input: 'x', conversation: 'c' },
    'conversation is not supported with this model: send the earlier items as input instead',
  ],
  [
    openaiResponses,
    'work in the background',
    { model: 'm', input: 'x', background: true },
    'background is not supported with this model: leave it out and wait for the answer',
  ],
  [
    openaiResponses,
    'a reference',
    { model: 'm', input: [{ type: 'item_reference', id: 'i' }] },
    'input[0] refers to a stored item: send the item itself to this model',
  ],
  [anthropicMessages, 'no limit', { model: 'm', messages: hi }, 'max_tokens is required and must be a number'],
  [
    anthropicMessages,
    'a stored image',
    {
      model: 'm',
      max_tokens: 1,
      messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }],
    },
    'messages[0].content[0].source must be base64 data or a url for this model',
  ],
  [gemini, 'no contents', { model: 'm' }, 'contents is required and must be a list'],
  [
    gemini,
    'a stored cache',
    { model: 'm', contents: [{ parts }], cachedContent: 'c' },
    'cachedContent is kept by Google only and cannot be used with this model',
  ],
]

test.each(refused.map(([dialect, name, body, message]) => [dialect.id, name, dialect, body, message] as const))(
  '%s refuses %s and says what to do',
  (_id, _name, dialect, body, message) => {
    expect(() => dialect.decodeRequest(body)).toThrow(BadRequest)
    expect(() => dialect.decodeRequest(body)).toThrow(message)
  },
)

describe('chat completions', () => {
  test('null fields, a single stop, allowed tools and the wishes of other relays are understood', () => {
    const request = openaiChat.decodeRequest({
      model: 'm',
      messages: [{ role: 'user', content: 'hi', name: null }],
      temperature: null,
      max_tokens: 5,
      stop: 'x',
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [] } },
      reasoning: { max_tokens: 2000, exclude: true },
      stream_options: null,
    })
    expect(request).toEqual({
      model: 'm',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
      stream: false,
      includeUsage: false,
      maxOutputTokens: 5,
      stop: ['x'],
      toolChoice: 'required',
      reasoning: { budgetTokens: 2000, show: false },
    })
  })

  test('a marked part keeps its mark on the way to Anthropic', () => {
    const content = [{ type: 'text', text: 'long', cache_control: { type: 'ephemeral', ttl: '1h' } }]
    const request = openaiChat.decodeRequest({ model: 'm', messages: [{ role: 'user', content }] })
    expect(anthropicMessages.encodeRequest(request)).toMatchObject({ messages: [{ role: 'user', content }] })
  })
})

test('anthropic messages: results come before words, thinking and effort are wishes, documents become text or files', () => {
  const request = anthropicMessages.decodeRequest({
    model: 'm',
    max_tokens: 9,
    system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'and now?' },
          { type: 'tool_result', tool_use_id: 't', is_error: true, content: [{ type: 'text', text: 'no' }] },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' } },
        ],
      },
    ],
    thinking: { type: 'enabled', budget_tokens: 3000 },
    output_config: { effort: 'high' },
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  })
  expect(request).toMatchObject({
    messages: [
      { role: 'system', parts: [{ type: 'text', text: 'Be kind.', cache: {} }] },
      { role: 'tool', callId: 't', isError: true, parts: [{ type: 'text', text: 'no' }] },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'and now?' },
          { type: 'text', text: 'plain' },
        ],
      },
    ],
    reasoning: { effort: 'high', budgetTokens: 3000, show: true },
    parallelToolCalls: false,
  })
})

test("gemini: snake case, Google's schemas, and results paired with their calls by name", () => {
  const request = gemini.decodeRequest({
    model: 'm',
    stream: true,
    system_instruction: 'Be kind.',
    contents: [
      { parts },
      { role: 'model', parts: [{ function_call: { name: 'f', args: { a: 1 } } }, { functionCall: { name: 'f' } }] },
      {
        role: 'user',
        parts: [
          { function_response: { name: 'f', response: { result: { b: 2 } } } },
          { functionResponse: { name: 'f', response: { error: 'no' } } },
        ],
      },
    ],
    tools: [
      {
        function_declarations: [
          {
            name: 'f',
            parameters: {
              type: 'OBJECT',
              properties: {
                type: { type: 'STRING', nullable: true },
                list: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '1' },
              },
            },
          },
        ],
      },
    ],
    generation_config: { max_output_tokens: 7, thinking_config: { thinking_level: 'LOW', include_thoughts: true } },
  })
  expect(request).toMatchObject({
    stream: true,
    maxOutputTokens: 7,
    reasoning: { effort: 'low', show: true },
    messages: [
      { role: 'system', parts: [{ text: 'Be kind.' }] },
      { role: 'user' },
      {
        role: 'assistant',
        parts: [
          { id: 'call_0', arguments: '{"a":1}' },
          { id: 'call_1', arguments: '{}' },
        ],
      },
      { role: 'tool', callId: 'call_0', parts: [{ text: '{"b":2}' }] },
      { role: 'tool', callId: 'call_1', isError: true, parts: [{ text: 'no' }] },
    ],
    tools: [
      {
        parameters: {
          type: 'object',
          properties: {
            type: { type: ['string', 'null'] },
            list: { type: 'array', items: { type: 'integer' }, minItems: 1 },
          },
        },
      },
    ],
  })
})

describe('errors', () => {
  const fault: ChatFault = { status: 429, message: 'slow', type: 'rate_limit_error', code: 'rate_limit_exceeded' }
  const openai = {
    error: { message: 'slow (request id: r1)', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' },
  }

  test.each<[ClientDialect, unknown]>([
    [openaiChat, openai],
    [openaiResponses, openai],
    [anthropicMessages, { type: 'error', error: { type: 'rate_limit_error', message: 'slow' }, request_id: 'r1' }],
    [gemini, { error: { code: 429, message: 'slow (request id: r1)', status: 'RESOURCE_EXHAUSTED' } }],
  ])('carry the request id in the shape of the dialect (%#)', (dialect, body) => {
    expect<unknown>(dialect.encodeError(fault, 'r1')).toEqual(body)
  })
})

test('chat streams end with one end mark and report usage only to clients that ask for it', () => {
  const streamed = (includeUsage: boolean) => {
    const encoder = openaiChat.streamEncoder({ model: 'm', messages: [], stream: true, includeUsage })
    const frames = [
      ...encoder.push({ type: 'usage', usage: { input: 1, output: 2 } }),
      ...encoder.push({ type: 'text-delta', text: 'Hi' }),
      ...encoder.push({ type: 'finish', reason: 'stop' }),
      ...encoder.end(),
    ]
    return frames.map((frame) => frame.data)
  }
  const silent = streamed(false)
  expect(silent.filter((data) => data === '[DONE]')).toHaveLength(1)
  expect(silent.at(-1)).toBe('[DONE]')
  expect(silent.join()).not.toContain('usage')
  const streaming = streamed(true)
  expect(streaming.at(-2)).toContain('"choices":[],"usage":{"prompt_tokens":1')
  expect(streaming.slice(0, -2).every((data) => data.includes('"usage":null'))).toBe(true)
})
