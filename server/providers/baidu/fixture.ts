import { type Fixture, hello, toolLoop, weatherTool } from '#server/dialects/fixture.ts'
import { baidu } from './dialect.ts'

const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }

export const baiduFixture: Fixture = {
  dialect: baidu,
  requests: [
    {
      name: 'text with limits in range',
      request: { messages: hello, temperature: 0, frequencyPenalty: 1, maxOutputTokens: 9, stop: ['a'], user: 'u' },
      body: {
        messages: [{ role: 'user', content: 'hi' }],
        stream: false,
        temperature: 0.01,
        penalty_score: 1.5,
        max_output_tokens: 9,
        stop: ['a'],
        user_id: 'u',
      },
    },
    {
      name: 'parallel calls one after the other',
      request: { messages: toolLoop, tools: [weatherTool], toolChoice: { name: 'weather' } },
      body: {
        system: 'Be brief.',
        messages: [
          { role: 'user', content: 'Rome and Oslo?' },
          {
            role: 'assistant',
            content: 'Looking.',
            function_call: { name: 'weather', arguments: '{"city":"Rome"}' },
          },
          { role: 'function', name: 'weather', content: 'sunny' },
          { role: 'assistant', content: '', function_call: { name: 'weather', arguments: '{}' } },
          { role: 'function', name: 'weather', content: 'rain' },
        ],
        stream: false,
        functions: [weatherTool],
        tool_choice: { type: 'function', function: { name: 'weather' } },
      },
    },
    {
      name: 'neighbours of one role joined',
      request: { messages: [...hello, ...hello] },
      body: { messages: [{ role: 'user', content: 'hi\nhi' }], stream: false },
    },
    {
      name: 'a system message alone as the question',
      request: { messages: [{ role: 'system', parts: [{ type: 'text', text: 'Speak.' }] }] },
      body: { messages: [{ role: 'user', content: 'Speak.' }], stream: false },
    },
  ],
  answers: [
    {
      name: 'text',
      body: { id: 'as-1', created: 9, result: 'Hi', is_truncated: false, finish_reason: 'normal', usage },
      events: [
        { type: 'start', id: 'as-1', created: 9 },
        { type: 'text-delta', text: 'Hi' },
        { type: 'finish', reason: 'stop' },
        { type: 'usage', usage: { input: 5, output: 2 } },
      ],
    },
    {
      name: 'a call',
      body: {
        id: 'as-1',
        result: '',
        finish_reason: 'function_call',
        function_call: { name: 'weather', arguments: '{"city":"Rome"}', thoughts: 'x' },
        usage,
      },
      events: [
        { type: 'start', id: 'as-1' },
        { type: 'tool-call-start', index: 0, id: 'call_*', name: 'weather' },
        { type: 'tool-call-delta', index: 0, arguments: '{"city":"Rome"}' },
        { type: 'finish', reason: 'tool-calls' },
        { type: 'usage', usage: { input: 5, output: 2 } },
      ],
    },
    {
      name: 'an error with HTTP 200',
      body: { error_code: 18, error_msg: 'Open api qps request limit reached' },
      events: [
        {
          type: 'fault',
          fault: {
            status: 429,
            message: 'Open api qps request limit reached',
            type: 'rate_limit_error',
            code: 'rate_limit_exceeded',
          },
        },
      ],
    },
  ],
  streams: [
    {
      name: 'text, usage growing',
      frames: [
        {
          id: 'as-1',
          created: 9,
          sentence_id: 0,
          is_end: false,
          result: 'H',
          usage: { ...usage, completion_tokens: 1 },
        },
        { id: 'as-1', created: 9, sentence_id: 1, is_end: true, result: 'i', finish_reason: 'length', usage },
      ],
      events: [
        { type: 'start', id: 'as-1', created: 9 },
        { type: 'text-delta', text: 'H' },
        { type: 'usage', usage: { input: 5, output: 1 } },
        { type: 'text-delta', text: 'i' },
        { type: 'finish', reason: 'length' },
        { type: 'usage', usage: { input: 5, output: 2 } },
      ],
    },
  ],
  errors: [
    { name: 'a stale token', status: 200, body: { error_code: 110, error_msg: 'x' }, fault: { status: 401 } },
    {
      name: 'an empty purse',
      status: 200,
      body: { error_code: 17, error_msg: 'x' },
      fault: { code: 'insufficient_quota' },
    },
    { name: 'a long prompt', status: 200, body: { error_code: 336007 }, fault: { code: 'context_length_exceeded' } },
    { name: 'trouble of their own', status: 200, body: { error_code: 336100 }, fault: { status: 503 } },
    {
      name: 'a refused key',
      status: 401,
      body: { error: 'invalid_client', error_description: 'd' },
      fault: { message: 'd' },
    },
    { name: 'no JSON', status: 502, body: '<html>', fault: { status: 502, type: 'server_error' } },
  ],
}
