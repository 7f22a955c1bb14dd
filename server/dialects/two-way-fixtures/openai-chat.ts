import { type Fixture, hello, picture, toolLoop, weatherTool, withPicture } from '#server/dialects/fixture.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { tag } from '#server/dialects/signature.ts'

const head = { id: 'c1', object: 'chat.completion.chunk', created: 5, model: 'm1' }
const delta = (fields: object, finish: string | null = null, index = 0) => {
  return { ...head, choices: [{ index, delta: { ...fields }, finish_reason: finish }] }
}
const start = { type: 'start', id: 'c1', model: 'm1', created: 5 } as const
const call = (fields: object, name?: string, args = '') => {
  return delta({ tool_calls: [{ ...fields, function: { ...(name ? { name } : {}), arguments: args } }] })
}

export const openaiChatFixture: Fixture = {
  dialect: openaiChat,
  requests: [
    {
      name: 'a stream always asks for its usage',
      request: { messages: hello, stream: true, maxOutputTokens: 9, stop: ['x'], n: 2, seed: 1, user: 'u' },
      body: {
        model: 'm',
        messages: [{ role: 'user', content: 'hi' }],
        stream: true,
        stream_options: { include_usage: true },
        max_tokens: 9,
        stop: ['x'],
        n: 2,
        seed: 1,
        user: 'u',
      },
    },
    {
      name: 'parallel calls and their results',
      request: { messages: toolLoop, tools: [weatherTool], toolChoice: { name: 'weather' }, parallelToolCalls: true },
      body: {
        model: 'm',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Rome and Oslo?' },
          {
            role: 'assistant',
            content: 'Looking.',
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
              { id: 'c2', type: 'function', function: { name: 'weather', arguments: '{}' } },
            ],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
          { role: 'tool', tool_call_id: 'c2', content: 'rain' },
        ],
        tools: [{ type: 'function', function: weatherTool }],
        tool_choice: { type: 'function', function: { name: 'weather' } },
        parallel_tool_calls: true,
      },
    },
    {
      name: 'a picture',
      request: { messages: withPicture },
      body: {
        model: 'm',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'what is it?' },
              { type: 'image_url', image_url: { url: picture } },
            ],
          },
        ],
      },
    },
    {
      name: 'pictures a tool returned follow all results',
      request: {
        messages: [
          {
            role: 'tool',
            callId: 'a',
            parts: [
              { type: 'text', text: 'see' },
              { type: 'image', url: picture },
            ],
          },
          { role: 'tool', callId: 'b', parts: [] },
        ],
      },
      body: {
        model: 'm',
        messages: [
          { role: 'tool', tool_call_id: 'a', content: 'see' },
          { role: 'tool', tool_call_id: 'b', content: '' },
          { role: 'user', content: [{ type: 'image_url', image_url: { url: picture } }] },
        ],
      },
    },
    {
      name: 'reasoning: effort, also from a budget, and earlier thoughts without foreign proofs',
      request: {
        messages: [
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', text: 'hm', signature: tag('gemini', 'g') },
              { type: 'text', text: 'ok' },
            ],
          },
        ],
        reasoning: { budgetTokens: 8000 },
        responseFormat: { type: 'json' },
      },
      body: {
        model: 'm',
        messages: [{ role: 'assistant', content: 'ok', reasoning_content: 'hm' }],
        response_format: { type: 'json_object' },
        reasoning_effort: 'medium',
      },
    },
  ],
  answers: [
    {
      name: 'two choices, reasoning, refusal and every kind of usage',
      body: {
        id: 'c1',
        created: 5,
        model: 'm1',
        choices: [
          { index: 0, message: { role: 'assistant', content: 'Hi', reasoning_content: 'hm' }, finish_reason: 'stop' },
          { index: 1, message: { role: 'assistant', content: null, refusal: 'no' }, finish_reason: 'content_filter' },
        ],
        usage: {
          prompt_tokens: 10,
          completion_tokens: 6,
          total_tokens: 16,
          prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2, audio_tokens: 1, image_tokens: 3 },
          completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 0 },
        },
      },
      events: [
        start,
        { type: 'reasoning-delta', text: 'hm' },
        { type: 'text-delta', text: 'Hi' },
        { type: 'finish', reason: 'stop' },
        { type: 'refusal-delta', text: 'no', choice: 1 },
        { type: 'finish', reason: 'content-filter', choice: 1 },
        {
          type: 'usage',
          usage: { input: 10, output: 6, cacheRead: 4, cacheWrite: 2, reasoning: 5, audioInput: 1, imageInput: 3 },
        },
      ],
    },
    {
      name: 'a call under the reason stop, with the cache count of DeepSeek',
      body: {
        id: 'c1',
        created: 5,
        model: 'm1',
        choices: [
          {
            message: {
              content: '',
              tool_calls: [{ id: 'x', function: { name: 'weather', arguments: { city: 'Rome' } } }],
            },
            finish_reason: 'stop',
          },
        ],
        usage: { prompt_tokens: 9, completion_tokens: 1, prompt_cache_hit_tokens: 8 },
      },
      events: [
        start,
        { type: 'tool-call-start', index: 0, id: 'x', name: 'weather' },
        { type: 'tool-call-delta', index: 0, arguments: '{"city":"Rome"}' },
        { type: 'finish', reason: 'tool-calls' },
        { type: 'usage', usage: { input: 9, output: 1, cacheRead: 8 } },
      ],
    },
    {
      name: 'reasoning counted beside the completion',
      body: {
        id: 'c1',
        created: 5,
        model: 'm1',
        choices: [],
        usage: {
          prompt_tokens: 10,
          completion_tokens: 5,
          total_tokens: 22,
          completion_tokens_details: { reasoning_tokens: 7 },
        },
      },
      events: [start, { type: 'usage', usage: { input: 10, output: 12, reasoning: 7 } }],
    },
    {
      name: 'an error in a successful answer',
      body: { error: { message: 'Too many requests', type: 'rate_limit_error', code: 'rate_limit_exceeded' } },
      events: [
        {
          type: 'fault',
          fault: { status: 429, message: 'Too many requests', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
        },
      ],
    },
  ],
  streams: [
    {
      name: 'text, a preamble without choices, usage on every chunk, and the end mark',
      frames: [
        { choices: [], prompt_filter_results: [] },
        { ...delta({ role: 'assistant', content: '' }), usage: { prompt_tokens: 0, completion_tokens: 0 } },
        { ...delta({ content: 'Hi' }), usage: { prompt_tokens: 3, completion_tokens: 1 } },
        delta({}, 'length'),
        { ...head, choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
        { data: '[DONE]' },
      ],
      events: [
        start,
        { type: 'text-delta', text: 'Hi' },
        { type: 'usage', usage: { input: 3, output: 1 } },
        { type: 'finish', reason: 'length' },
        { type: 'usage', usage: { input: 3, output: 2 } },
      ],
    },
    {
      name: 'parallel calls whose arguments come interleaved',
      frames: [
        call({ index: 0, id: 'a', extra_content: { google: { thought_signature: 's' } } }, 'f'),
        call({ index: 1, id: 'b' }, 'g', '{'),
        call({ index: 0 }, undefined, '{}'),
        call({ index: 1, id: 'b' }, 'g', '}'),
        delta({}, 'tool_calls'),
      ],
      events: [
        start,
        { type: 'tool-call-start', index: 0, id: 'a', name: 'f', signature: 's' },
        { type: 'tool-call-start', index: 1, id: 'b', name: 'g' },
        { type: 'tool-call-delta', index: 1, arguments: '{' },
        { type: 'tool-call-delta', index: 0, arguments: '{}' },
        { type: 'tool-call-delta', index: 1, arguments: '}' },
        { type: 'finish', reason: 'tool-calls' },
      ],
    },
    {
      name: 'calls that all carry the number 0, and one without an id',
      frames: [call({ index: 0, id: 'a' }, 'f', '{}'), call({ index: 0, id: 'b' }, 'g', '{}'), call({ index: 1 }, 'h')],
      events: [
        start,
        { type: 'tool-call-start', index: 0, id: 'a', name: 'f' },
        { type: 'tool-call-delta', index: 0, arguments: '{}' },
        { type: 'tool-call-start', index: 1, id: 'b', name: 'g' },
        { type: 'tool-call-delta', index: 1, arguments: '{}' },
        { type: 'tool-call-start', index: 2, id: 'call_*', name: 'h' },
      ],
    },
    {
      name: 'reasoning in each form vendors have, never twice',
      frames: [
        delta({ reasoning: 'a', reasoning_details: [{ type: 'reasoning.text', text: 'a' }] }),
        delta({ reasoning_details: [{ type: 'reasoning.text', text: 'b', signature: 's' }] }),
        delta({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'd' }] }),
        delta({
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'c' }] },
            { type: 'text', text: 'Hi' },
          ],
        }),
      ],
      events: [
        start,
        { type: 'reasoning-delta', text: 'a' },
        { type: 'reasoning-delta', text: 'b' },
        { type: 'reasoning-signature', signature: 'openai-chat:s' },
        { type: 'reasoning-redacted', data: 'openai-chat:d' },
        { type: 'reasoning-delta', text: 'c' },
        { type: 'text-delta', text: 'Hi' },
      ],
    },
    {
      name: 'an error in mid-stream, with a status of its own',
      frames: [delta({ content: 'Hi' }), { error: { code: 502, message: 'Provider at https://inner.example failed' } }],
      events: [
        start,
        { type: 'text-delta', text: 'Hi' },
        { type: 'fault', fault: { status: 502, message: 'Provider at [address] failed', type: 'server_error' } },
      ],
    },
  ],
  errors: [
    {
      name: 'a bad key, which is not shown',
      status: 401,
      body: {
        error: {
          message: 'Incorrect API key provided: sk-proj-abcdefgh1234. See https://platform.example/keys.',
          type: 'invalid_request_error',
          code: 'invalid_api_key',
        },
      },
      fault: {
        status: 401,
        code: 'invalid_api_key',
        message: 'Incorrect API key provided: [key] See [address]',
      },
    },
    {
      name: 'a code and a parameter',
      status: 400,
      body: {
        error: {
          message: 'too long',
          type: 'invalid_request_error',
          param: 'messages',
          code: 'context_length_exceeded',
        },
      },
      fault: { status: 400, param: 'messages', code: 'context_length_exceeded' },
    },
    { name: 'a text for an error', status: 500, body: { error: 'boom' }, fault: { status: 500, message: 'boom' } },
    {
      name: 'a message alone',
      status: 401,
      body: { statusCode: 401, message: 'Access denied' },
      fault: { message: 'Access denied' },
    },
    {
      name: 'a page instead of JSON',
      status: 413,
      body: '<html>',
      fault: { status: 413, type: 'invalid_request_error' },
    },
  ],
}
