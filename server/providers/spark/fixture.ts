import { type Fixture, hello, toolLoop, weatherTool } from '#server/dialects/fixture.ts'
import { spark } from './dialect.ts'

const header = { code: 0, message: 'Success', sid: 'cht1', status: 0 }

export const sparkFixture: Fixture = {
  dialect: spark,
  requests: [
    {
      name: 'text with limits in range',
      request: { messages: hello, temperature: 2, topK: 40, maxOutputTokens: 9, user: 'u'.repeat(40) },
      body: {
        header: { uid: 'u'.repeat(32) },
        parameter: { chat: { temperature: 1, top_k: 6, max_tokens: 9 } },
        payload: { message: { text: [{ role: 'user', content: 'hi' }] } },
      },
    },
    {
      name: 'functions and their results',
      request: { messages: toolLoop, tools: [weatherTool] },
      body: {
        header: {},
        parameter: { chat: {} },
        payload: {
          message: {
            text: [
              { role: 'system', content: 'Be brief.' },
              { role: 'user', content: 'Rome and Oslo?' },
              {
                role: 'assistant',
                content: 'Looking.',
                function_call: { name: 'weather', arguments: '{"city":"Rome"}' },
              },
              { role: 'assistant', content: '', function_call: { name: 'weather', arguments: '{}' } },
              { role: 'tool', name: 'weather', content: 'sunny' },
              { role: 'tool', name: 'weather', content: 'rain' },
            ],
          },
          functions: { text: [weatherTool] },
        },
      },
    },
  ],
  answers: [],
  streams: [
    {
      name: 'text until status 2',
      frames: [
        { header, payload: { choices: { status: 0, seq: 0, text: [{ content: 'Hi', role: 'assistant', index: 0 }] } } },
        {
          header: { ...header, status: 2 },
          payload: {
            choices: { status: 2, seq: 1, text: [{ content: '!', role: 'assistant', index: 0 }] },
            usage: { text: { question_tokens: 1, prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
          },
        },
      ],
      events: [
        { type: 'start', id: 'cht1' },
        { type: 'text-delta', text: 'Hi' },
        { type: 'text-delta', text: '!' },
        { type: 'finish', reason: 'stop' },
        { type: 'usage', usage: { input: 3, output: 2 } },
      ],
    },
    {
      name: 'a call',
      frames: [
        {
          header: { ...header, status: 2 },
          payload: {
            choices: {
              status: 2,
              text: [{ content: '', content_type: 'text', function_call: { name: 'weather', arguments: '{}' } }],
            },
          },
        },
      ],
      events: [
        { type: 'start', id: 'cht1' },
        { type: 'tool-call-start', index: 0, id: 'call_*', name: 'weather' },
        { type: 'tool-call-delta', index: 0, arguments: '{}' },
        { type: 'finish', reason: 'tool-calls' },
      ],
    },
    {
      name: 'an error',
      frames: [{ header: { code: 10013, message: 'audit', sid: 'cht1', status: 2 } }],
      events: [
        {
          type: 'fault',
          fault: { status: 400, message: 'audit', type: 'invalid_request_error', code: 'content_filter' },
        },
      ],
    },
  ],
  errors: [
    { name: 'no rights', status: 200, body: { header: { code: 11200, message: 'x' } }, fault: { status: 403 } },
    { name: 'too many at once', status: 200, body: { header: { code: 10007, message: 'x' } }, fault: { status: 429 } },
    { name: 'too long', status: 200, body: { header: { code: 10907 } }, fault: { code: 'context_length_exceeded' } },
    {
      name: 'a refused handshake',
      status: 401,
      body: { message: 'HMAC signature cannot be verified' },
      fault: { status: 401, message: 'HMAC signature cannot be verified' },
    },
  ],
}
