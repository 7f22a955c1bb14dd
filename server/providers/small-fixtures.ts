import { type Fixture, hello } from '#server/dialects/fixture.ts'
import { aiproxyLibrary } from './aiproxy-library/dialect.ts'
import { palm } from './palm/dialect.ts'
import { tencentV1 } from './tencent/dialect-v1.ts'
import { zhipuV3 } from './zhipu/dialect-v3.ts'

export const zhipuV3Fixture: Fixture = {
  dialect: zhipuV3,
  requests: [
    {
      name: 'text with limits in range',
      request: { messages: hello, temperature: 1, topP: 0, stream: true },
      body: { prompt: [{ role: 'user', content: 'hi' }], temperature: 0.99, top_p: 0.01, incremental: true },
    },
  ],
  answers: [
    {
      name: 'text in quotes',
      body: {
        code: 200,
        success: true,
        data: {
          task_id: 't',
          choices: [{ role: 'assistant', content: '" Hi\\n there"' }],
          usage: { total_tokens: 7, completion_tokens: 2 },
        },
      },
      events: [
        { type: 'start', id: 't' },
        { type: 'text-delta', text: 'Hi\n there' },
        { type: 'finish', reason: 'stop' },
        { type: 'usage', usage: { input: 5, output: 2 } },
      ],
    },
    {
      name: 'an error with HTTP 200',
      body: { code: 1113, msg: 'no balance', success: false },
      events: [
        {
          type: 'fault',
          fault: { status: 429, message: 'no balance', type: 'insufficient_quota', code: 'insufficient_quota' },
        },
      ],
    },
  ],
  streams: [
    {
      name: 'text, usage in the meta line',
      frames: [
        { event: 'add', data: 'H' },
        { event: 'add', data: 'i' },
        {
          event: 'finish',
          data: '',
          meta: '{"task_status":"SUCCESS","usage":{"prompt_tokens":5,"completion_tokens":2}}',
        },
      ],
      events: [
        { type: 'start' },
        { type: 'text-delta', text: 'H' },
        { type: 'text-delta', text: 'i' },
        { type: 'finish', reason: 'stop' },
        { type: 'usage', usage: { input: 5, output: 2 } },
      ],
    },
    {
      name: 'an error',
      frames: [{ event: 'error', data: '{"code":1302,"msg":"slow down","success":false}' }],
      events: [
        {
          type: 'fault',
          fault: { status: 429, message: 'slow down', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
        },
      ],
    },
  ],
  errors: [{ name: 'a bad token', status: 200, body: { code: 1002, msg: 'x' }, fault: { status: 401 } }],
}

export const palmFixture: Fixture = {
  dialect: palm,
  requests: [
    {
      name: 'numbered authors',
      request: { messages: [...hello, { role: 'assistant', parts: [{ type: 'text', text: 'yes' }] }], topK: 3 },
      body: {
        prompt: {
          messages: [
            { author: '0', content: 'hi' },
            { author: '1', content: 'yes' },
          ],
        },
        topK: 3,
      },
    },
  ],
  answers: [
    {
      name: 'text',
      body: { candidates: [{ author: '1', content: 'Hi' }] },
      events: [
        { type: 'start' },
        { type: 'text-delta', text: 'Hi', choice: 0 },
        { type: 'finish', reason: 'stop', choice: 0 },
      ],
    },
    {
      name: 'a blocked prompt',
      body: { filters: [{ reason: 'SAFETY' }] },
      events: [
        {
          type: 'fault',
          fault: { status: 400, message: 'SAFETY', type: 'invalid_request_error', code: 'content_filter' },
        },
      ],
    },
  ],
  streams: [],
  errors: [
    { name: 'Google errors', status: 404, body: { error: { code: 404, message: 'gone' } }, fault: { message: 'gone' } },
  ],
}

export const libraryFixture: Fixture = {
  dialect: aiproxyLibrary,
  requests: [
    { name: 'the last question', request: { messages: hello }, body: { model: 'm', query: 'hi', stream: false } },
  ],
  answers: [
    {
      name: 'text with documents',
      body: { success: true, answer: 'Hi', documents: [{ title: 'T', url: 'u' }] },
      events: [
        { type: 'start' },
        { type: 'text-delta', text: 'Hi\n\nReferences:\n\n1. [T](u)' },
        { type: 'finish', reason: 'stop' },
      ],
    },
    {
      name: 'an error',
      body: { success: false, errCode: 401, message: 'no' },
      events: [
        { type: 'fault', fault: { status: 401, message: 'no', type: 'authentication_error', code: 'invalid_api_key' } },
      ],
    },
  ],
  streams: [
    {
      name: 'documents after the text',
      frames: [
        { content: 'Hi', finish: false, model: 'm', documents: [] },
        { content: '', finish: true, documents: [{ title: 'T', url: 'u' }] },
      ],
      events: [
        { type: 'start', model: 'm' },
        { type: 'text-delta', text: 'Hi' },
        { type: 'text-delta', text: '\n\nReferences:\n\n1. [T](u)' },
        { type: 'finish', reason: 'stop' },
      ],
    },
    {
      name: 'an answer broken off has no end',
      frames: [{ content: 'Hi', finish: false, documents: [{ title: 'T', url: 'u' }] }],
      events: [{ type: 'start' }, { type: 'text-delta', text: 'Hi' }],
    },
  ],
  errors: [],
}

export const tencentV1Fixture: Fixture = {
  dialect: tencentV1,
  requests: [
    {
      name: 'text',
      request: { messages: hello, stream: true },
      body: { messages: [{ role: 'user', content: 'hi' }], temperature: 1, top_p: 0.8, stream: 1 },
    },
  ],
  answers: [
    {
      name: 'text',
      body: {
        id: 'i',
        choices: [{ finish_reason: 'stop', messages: { role: 'assistant', content: 'Hi' } }],
        usage: { prompt_tokens: 3, completion_tokens: 1 },
      },
      events: [
        { type: 'start', id: 'i' },
        { type: 'text-delta', text: 'Hi' },
        { type: 'finish', reason: 'stop' },
        { type: 'usage', usage: { input: 3, output: 1 } },
      ],
    },
  ],
  streams: [
    {
      name: 'text',
      frames: [
        { id: 'i', choices: [{ delta: { content: 'H' } }] },
        { id: 'i', choices: [{ delta: { content: 'i' }, finish_reason: 'stop' }] },
      ],
      events: [
        { type: 'start', id: 'i' },
        { type: 'text-delta', text: 'H' },
        { type: 'text-delta', text: 'i' },
        { type: 'finish', reason: 'stop' },
      ],
    },
  ],
  errors: [{ name: 'a code', status: 200, body: { error: { code: 11, message: 'x' } }, fault: { status: 400 } }],
}
