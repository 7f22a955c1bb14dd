import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import { type Fixture, hello, picture, toolLoop, weatherTool, withPicture } from '#server/dialects/fixture.ts'
import { tag } from '#server/dialects/signature.ts'

const begin = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    model: 'claude',
    content: [],
    usage: { input_tokens: 4, cache_read_input_tokens: 6, output_tokens: 1 },
  },
}
const started = { type: 'start', id: 'msg_1', model: 'claude' } as const
const open = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block: { ...content_block },
})
const add = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta: { ...delta } })
const close = (index: number) => ({ type: 'content_block_stop', index })

export const anthropicMessagesFixture: Fixture = {
  dialect: anthropicMessages,
  requests: [
    {
      name: 'a limit where nobody set one, temperature within range, no blank stops',
      request: { messages: hello, temperature: 1.7, stop: ['x', ' '], user: 'u', stream: true },
      body: {
        model: 'm',
        max_tokens: 4096,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
        stream: true,
        stop_sequences: ['x'],
        temperature: 1,
        metadata: { user_id: 'u' },
      },
    },
    {
      name: 'parallel calls; their results share one turn with the words that follow',
      request: {
        messages: [...toolLoop, ...hello],
        tools: [{ ...weatherTool, cache: { ttl: '1h' } }],
        toolChoice: 'required',
        parallelToolCalls: false,
        maxOutputTokens: 5,
      },
      body: {
        model: 'm',
        max_tokens: 5,
        system: 'Be brief.',
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Rome and Oslo?' }] },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'Looking.' },
              { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Rome' } },
              { type: 'tool_use', id: 'c2', name: 'weather', input: {} },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'c1', content: 'sunny' },
              { type: 'tool_result', tool_use_id: 'c2', content: 'rain' },
              { type: 'text', text: 'hi' },
            ],
          },
        ],
        tools: [
          {
            name: 'weather',
            description: 'Weather of a city',
            input_schema: weatherTool.parameters,
            cache_control: { type: 'ephemeral', ttl: '1h' },
          },
        ],
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
      },
    },
    {
      name: 'a picture inline, another by address, and a marked system text',
      request: {
        messages: [
          { role: 'developer', parts: [{ type: 'text', text: 'Be kind.', cache: {} }] },
          ...withPicture,
          { role: 'user', parts: [{ type: 'image', url: 'https://p.example/a.png' }] },
        ],
        maxOutputTokens: 5,
      },
      body: {
        model: 'm',
        max_tokens: 5,
        system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }],
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'what is it?' },
              {
                type: 'image',
                source: { type: 'base64', media_type: 'image/png', data: picture.slice(picture.indexOf(',') + 1) },
              },
              { type: 'image', source: { type: 'url', url: 'https://p.example/a.png' } },
            ],
          },
        ],
      },
    },
    {
      name: 'reasoning by budget, with its own earlier thoughts and no sampling',
      request: {
        messages: [
          ...hello,
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', text: 'hm', signature: tag('anthropic-messages', 's') },
              { type: 'reasoning', text: '', redacted: tag('anthropic-messages', 'r') },
              { type: 'reasoning', text: 'unsigned' },
              { type: 'text', text: 'ok' },
            ],
          },
        ],
        reasoning: { budgetTokens: 2000 },
        temperature: 0.3,
      },
      body: {
        model: 'm',
        max_tokens: 6096,
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'hi' }] },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'hm', signature: 's' },
              { type: 'redacted_thinking', data: 'r' },
              { type: 'text', text: 'ok' },
            ],
          },
        ],
        thinking: { type: 'enabled', budget_tokens: 2000 },
      },
    },
    {
      name: 'reasoning by effort and a form for the answer',
      request: {
        messages: hello,
        maxOutputTokens: 5,
        reasoning: { effort: 'minimal' },
        responseFormat: { type: 'json-schema', name: 'n', schema: { type: 'object' } },
      },
      body: {
        model: 'm',
        max_tokens: 5,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
        thinking: { type: 'adaptive', display: 'summarized' },
        output_config: { effort: 'low', format: { type: 'json_schema', schema: { type: 'object' } } },
      },
    },
  ],
  answers: [
    {
      name: 'thoughts, text, a call, and caches of both lives',
      body: {
        id: 'msg_1',
        type: 'message',
        model: 'claude',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'redacted_thinking', data: 'r' },
          { type: 'text', text: 'Hi' },
          { type: 'server_tool_use', id: 'z', name: 'web_search', input: {} },
          { type: 'tool_use', id: 't', name: 'weather', input: { city: 'Rome' } },
        ],
        stop_reason: 'tool_use',
        stop_sequence: null,
        usage: {
          input_tokens: 10,
          output_tokens: 20,
          cache_creation_input_tokens: 7,
          cache_read_input_tokens: 3,
          cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 2 },
          output_tokens_details: { thinking_tokens: 9 },
        },
      },
      events: [
        started,
        { type: 'reasoning-delta', text: 'hm' },
        { type: 'reasoning-signature', signature: 'anthropic-messages:s' },
        { type: 'reasoning-redacted', data: 'anthropic-messages:r' },
        { type: 'text-delta', text: 'Hi' },
        { type: 'tool-call-start', index: 0, id: 't', name: 'weather' },
        { type: 'tool-call-delta', index: 0, arguments: '{"city":"Rome"}' },
        { type: 'finish', reason: 'tool-calls' },
        {
          type: 'usage',
          usage: { input: 20, output: 20, cacheRead: 3, cacheWrite: 5, cacheWriteLong: 2, reasoning: 9 },
        },
      ],
    },
    {
      name: 'a refusal with its reason',
      body: {
        id: 'msg_1',
        model: 'claude',
        content: [],
        stop_reason: 'refusal',
        stop_details: { type: 'refusal', category: 'cyber', explanation: 'I cannot.' },
        usage: { input_tokens: 1, output_tokens: 0, cache_read_input_tokens: null },
      },
      events: [
        started,
        { type: 'refusal-delta', text: 'I cannot.' },
        { type: 'finish', reason: 'content-filter' },
        { type: 'usage', usage: { input: 1, output: 0 } },
      ],
    },
    {
      name: 'an error in a successful answer',
      body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      events: [
        { type: 'fault', fault: { status: 503, message: 'Overloaded', type: 'overloaded_error', code: 'overloaded' } },
      ],
    },
  ],
  streams: [
    {
      name: 'thoughts, text, calls and a growing usage',
      frames: [
        begin,
        { type: 'ping' },
        open(0, { type: 'thinking', thinking: '', signature: '' }),
        add(0, { type: 'thinking_delta', thinking: 'hm' }),
        add(0, { type: 'signature_delta', signature: 's' }),
        close(0),
        open(1, { type: 'text', text: '' }),
        add(1, { type: 'text_delta', text: 'Hi' }),
        add(1, { type: 'citations_delta', citation: {} }),
        close(1),
        open(2, { type: 'tool_use', id: 't1', name: 'f', input: {} }),
        add(2, { type: 'input_json_delta', partial_json: '' }),
        add(2, { type: 'input_json_delta', partial_json: '{"a":1}' }),
        close(2),
        open(3, { type: 'tool_use', id: 't2', name: 'g', input: {} }),
        close(3),
        {
          type: 'message_delta',
          delta: { stop_reason: 'tool_use', stop_sequence: null },
          usage: { output_tokens: 20, input_tokens: null },
        },
        { type: 'message_stop' },
      ],
      events: [
        started,
        { type: 'usage', usage: { input: 10, output: 1, cacheRead: 6 } },
        { type: 'reasoning-delta', text: 'hm' },
        { type: 'reasoning-signature', signature: 'anthropic-messages:s' },
        { type: 'text-delta', text: 'Hi' },
        { type: 'tool-call-start', index: 0, id: 't1', name: 'f' },
        { type: 'tool-call-delta', index: 0, arguments: '{"a":1}' },
        { type: 'tool-call-start', index: 1, id: 't2', name: 'g' },
        { type: 'tool-call-delta', index: 1, arguments: '{}' },
        { type: 'usage', usage: { input: 10, output: 20, cacheRead: 6 } },
        { type: 'finish', reason: 'tool-calls' },
      ],
    },
    {
      name: 'a stop sequence, and an error after it all began',
      frames: [
        { type: 'message_delta', delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' } },
        { type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } },
      ],
      events: [
        { type: 'finish', reason: 'stop', stopSequence: 'END' },
        {
          type: 'fault',
          fault: { status: 429, message: 'slow down', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
        },
      ],
    },
  ],
  errors: [
    {
      name: 'a limit on requests',
      status: 429,
      body: { type: 'error', error: { type: 'rate_limit_error', message: 'slow' }, request_id: 'r' },
      fault: { status: 429, type: 'rate_limit_error', message: 'slow' },
    },
    {
      name: "the month's money is spent, which is no matter of waiting",
      status: 429,
      body: {
        type: 'error',
        error: { type: 'rate_limit_error', message: 'cap', details: { error_code: 'enforced_spend_limit_reached' } },
      },
      fault: { status: 429, code: 'insufficient_quota' },
    },
    {
      name: 'overload',
      status: 529,
      body: { type: 'error', error: { type: 'overloaded_error', message: 'x' } },
      fault: { status: 529 },
    },
  ],
}
