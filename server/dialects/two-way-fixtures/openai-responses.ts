import { type Fixture, hello, picture, toolLoop, weatherTool, withPicture } from '#server/dialects/fixture.ts'
import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { tag } from '#server/dialects/signature.ts'

const response = { id: 'resp_1', object: 'response', created_at: 5, model: 'm1' }
const start = { type: 'start', id: 'resp_1', model: 'm1', created: 5 } as const
const message = (role: string, text: string) => {
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  return { type: 'message', role, content: [{ type, text }] }
}
const ask = [message('user', 'hi')]

export const openaiResponsesFixture: Fixture = {
  dialect: openaiResponses,
  requests: [
    {
      name: 'limits, a schema and verbosity; nothing is stored',
      request: {
        messages: hello,
        stream: true,
        maxOutputTokens: 5,
        verbosity: 'low',
        responseFormat: { type: 'json-schema', name: 'n', schema: { type: 'object' }, strict: true },
      },
      body: {
        model: 'm',
        input: ask,
        store: false,
        stream: true,
        max_output_tokens: 5,
        text: {
          format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true },
          verbosity: 'low',
        },
      },
    },
    {
      name: 'parallel calls and their results',
      request: { messages: toolLoop, tools: [weatherTool], toolChoice: { name: 'weather' } },
      body: {
        model: 'm',
        input: [
          message('system', 'Be brief.'),
          message('user', 'Rome and Oslo?'),
          message('assistant', 'Looking.'),
          { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Rome"}' },
          { type: 'function_call', call_id: 'c2', name: 'weather', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
          { type: 'function_call_output', call_id: 'c2', output: 'rain' },
        ],
        store: false,
        tools: [{ type: 'function', ...weatherTool, strict: false }],
        tool_choice: { type: 'function', name: 'weather' },
      },
    },
    {
      name: 'a picture',
      request: { messages: withPicture },
      body: {
        model: 'm',
        input: [
          {
            type: 'message',
            role: 'user',
            content: [
              { type: 'input_text', text: 'what is it?' },
              { type: 'input_image', image_url: picture },
            ],
          },
        ],
        store: false,
      },
    },
    {
      name: 'reasoning with effort, and only its own thoughts given back',
      request: {
        messages: [
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', text: 'hm', signature: tag('openai-responses', 'rs_9 enc') },
              { type: 'reasoning', text: 'foreign', signature: tag('gemini', 'g') },
            ],
          },
          ...hello,
        ],
        reasoning: { effort: 'high' },
      },
      body: {
        model: 'm',
        input: [
          { type: 'reasoning', id: 'rs_9', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'enc' },
          ...ask,
        ],
        store: false,
        reasoning: { effort: 'high', summary: 'auto' },
        include: ['reasoning.encrypted_content'],
      },
    },
  ],
  answers: [
    {
      name: 'thoughts, text, refusal, a call and usage',
      body: {
        ...response,
        status: 'completed',
        error: null,
        output: [
          {
            type: 'reasoning',
            id: 'rs_1',
            summary: [
              { type: 'summary_text', text: 'a' },
              { type: 'summary_text', text: 'b' },
            ],
            encrypted_content: 'e',
          },
          {
            type: 'message',
            content: [
              { type: 'output_text', text: 'Hi' },
              { type: 'refusal', refusal: 'no' },
            ],
          },
          { type: 'web_search_call', id: 'w' },
          { type: 'function_call', id: 'fc', call_id: 'c', name: 'f', arguments: '{"a":1}' },
        ],
        usage: {
          input_tokens: 10,
          input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
          output_tokens: 6,
          output_tokens_details: { reasoning_tokens: 3 },
        },
      },
      events: [
        start,
        { type: 'reasoning-delta', text: 'a\n\nb' },
        { type: 'reasoning-signature', signature: 'openai-responses:rs_1 e' },
        { type: 'text-delta', text: 'Hi' },
        { type: 'refusal-delta', text: 'no' },
        { type: 'tool-call-start', index: 0, id: 'c', name: 'f' },
        { type: 'tool-call-delta', index: 0, arguments: '{"a":1}' },
        { type: 'finish', reason: 'tool-calls' },
        { type: 'usage', usage: { input: 10, output: 6, cacheRead: 4, cacheWrite: 2, reasoning: 3, webSearch: 1 } },
      ],
    },
    {
      name: 'an answer cut by its limit',
      body: { ...response, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [] },
      events: [start, { type: 'finish', reason: 'length' }],
    },
    {
      name: 'an answer that failed',
      body: { ...response, status: 'failed', error: { code: 'rate_limit_exceeded', message: 'slow' }, output: [] },
      events: [
        start,
        {
          type: 'fault',
          fault: { status: 429, message: 'slow', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
        },
      ],
    },
    {
      name: 'an error in a successful answer',
      body: { error: { message: 'bad key', type: 'invalid_request_error', code: 'invalid_api_key' } },
      events: [
        {
          type: 'fault',
          fault: { status: 401, message: 'bad key', type: 'invalid_request_error', code: 'invalid_api_key' },
        },
      ],
    },
  ],
  streams: [
    {
      name: 'thoughts, text, calls with and without streamed arguments, and the end',
      frames: [
        { type: 'response.created', response: { ...response, status: 'in_progress' } },
        { type: 'response.in_progress', response },
        { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } },
        { type: 'response.reasoning_summary_part.added', output_index: 0, summary_index: 0 },
        { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'a' },
        { type: 'response.reasoning_summary_part.added', output_index: 0, summary_index: 1 },
        { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'b' },
        {
          type: 'response.output_item.done',
          output_index: 0,
          item: { type: 'reasoning', id: 'rs_1', encrypted_content: 'e' },
        },
        { type: 'response.output_text.delta', output_index: 1, delta: 'Hi', logprobs: [] },
        { type: 'response.output_text.done', output_index: 1, text: 'Hi' },
        {
          type: 'response.output_item.added',
          output_index: 2,
          item: { type: 'function_call', call_id: 'c1', name: 'f', arguments: '' },
        },
        { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{}' },
        {
          type: 'response.output_item.done',
          output_index: 2,
          item: { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
        },
        {
          type: 'response.output_item.done',
          output_index: 3,
          item: { type: 'function_call', call_id: 'c2', name: 'g', arguments: '{"a":1}' },
        },
        {
          type: 'response.completed',
          response: { ...response, status: 'completed', usage: { input_tokens: 3, output_tokens: 4 } },
        },
      ],
      events: [
        start,
        { type: 'reasoning-delta', text: 'a' },
        { type: 'reasoning-delta', text: '\n\n' },
        { type: 'reasoning-delta', text: 'b' },
        { type: 'reasoning-signature', signature: 'openai-responses:rs_1 e' },
        { type: 'text-delta', text: 'Hi' },
        { type: 'tool-call-start', index: 0, id: 'c1', name: 'f' },
        { type: 'tool-call-delta', index: 0, arguments: '{}' },
        { type: 'tool-call-start', index: 1, id: 'c2', name: 'g' },
        { type: 'tool-call-delta', index: 1, arguments: '{"a":1}' },
        { type: 'finish', reason: 'tool-calls' },
        { type: 'usage', usage: { input: 3, output: 4 } },
      ],
    },
    {
      name: 'an error in mid-stream',
      frames: [
        { type: 'response.refusal.delta', delta: 'no' },
        { type: 'error', code: 'server_error', message: 'boom', param: null, sequence_number: 3 },
      ],
      events: [
        { type: 'refusal-delta', text: 'no' },
        { type: 'fault', fault: { status: 500, message: 'boom', type: 'server_error', code: 'server_error' } },
      ],
    },
  ],
  errors: [
    {
      name: 'a wrong parameter',
      status: 400,
      body: {
        error: { message: 'Unknown parameter', type: 'invalid_request_error', param: 'x', code: 'unknown_parameter' },
      },
      fault: { status: 400, param: 'x', code: 'unknown_parameter' },
    },
  ],
}
