import { type Fixture, hello, picture, toolLoop, weatherTool, withPicture } from '#server/dialects/fixture.ts'
import { dashscope } from './dialect.ts'

const usage = { input_tokens: 5, output_tokens: 4, total_tokens: 9, output_tokens_details: { reasoning_tokens: 3 } }
const message = { role: 'assistant', content: '' }

export const dashscopeFixture: Fixture = {
  dialect: dashscope,
  requests: [
    {
      name: 'text, the stream piece by piece',
      request: {
        messages: hello,
        stream: true,
        temperature: 2,
        topP: 1,
        topK: 4,
        user: 'u',
        reasoning: { effort: 'none' },
      },
      body: {
        model: 'm',
        input: { messages: [{ role: 'user', content: 'hi' }] },
        parameters: {
          result_format: 'message',
          incremental_output: true,
          temperature: 1.9999,
          top_p: 0.9999,
          top_k: 4,
          enable_thinking: false,
        },
      },
    },
    {
      name: 'an image',
      request: { messages: withPicture },
      body: {
        model: 'm',
        input: { messages: [{ role: 'user', content: [{ text: 'what is it?' }, { image: picture }] }] },
        parameters: { result_format: 'message' },
      },
    },
    {
      name: 'tools, a forced call of the only one',
      request: { messages: toolLoop.slice(1, 3), tools: [weatherTool], toolChoice: 'required' },
      body: {
        model: 'm',
        input: {
          messages: [
            { role: 'user', content: 'Rome and Oslo?' },
            {
              role: 'assistant',
              content: 'Looking.',
              tool_calls: [
                { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
                { id: 'c2', type: 'function', function: { name: 'weather', arguments: '{}' } },
              ],
            },
          ],
        },
        parameters: {
          result_format: 'message',
          tools: [{ type: 'function', function: weatherTool }],
          tool_choice: { type: 'function', function: { name: 'weather' } },
        },
      },
    },
  ],
  answers: [
    {
      name: 'reasoning and text',
      body: {
        request_id: 'r',
        output: {
          choices: [{ finish_reason: 'stop', message: { ...message, content: 'Hi', reasoning_content: 'hm' } }],
        },
        usage,
      },
      events: [
        { type: 'start', id: 'r' },
        { type: 'reasoning-delta', text: 'hm' },
        { type: 'text-delta', text: 'Hi' },
        { type: 'finish', reason: 'stop' },
        { type: 'usage', usage: { input: 5, output: 4, reasoning: 3 } },
      ],
    },
    {
      name: 'text of a model that sees',
      body: {
        request_id: 'r',
        output: { choices: [{ finish_reason: 'length', message: { content: [{ text: 'Hi' }] } }] },
      },
      events: [
        { type: 'start', id: 'r' },
        { type: 'text-delta', text: 'Hi' },
        { type: 'finish', reason: 'length' },
      ],
    },
  ],
  streams: [
    {
      name: 'a call in pieces, "null" until the end',
      frames: [
        {
          request_id: 'r',
          output: {
            choices: [
              {
                finish_reason: 'null',
                message: {
                  ...message,
                  tool_calls: [
                    { index: 0, id: 't1', type: 'function', function: { name: 'weather', arguments: '{"c' } },
                  ],
                },
              },
            ],
          },
          usage: { ...usage, output_tokens: 1, output_tokens_details: {} },
        },
        {
          request_id: 'r',
          output: {
            choices: [
              {
                finish_reason: 'tool_calls',
                message: { ...message, tool_calls: [{ index: 0, id: '', function: { arguments: 'ity":1}' } }] },
              },
            ],
          },
          usage,
        },
      ],
      events: [
        { type: 'start', id: 'r' },
        { type: 'tool-call-start', index: 0, id: 't1', name: 'weather' },
        { type: 'tool-call-delta', index: 0, arguments: '{"c' },
        { type: 'usage', usage: { input: 5, output: 4 } },
        { type: 'tool-call-delta', index: 0, arguments: 'ity":1}' },
        { type: 'finish', reason: 'tool-calls' },
        { type: 'usage', usage: { input: 5, output: 4, reasoning: 3 } },
      ],
    },
    {
      name: 'an error frame',
      frames: [{ event: 'error', data: '{"code":"DataInspectionFailed","message":"no","request_id":"r"}' }],
      events: [
        { type: 'fault', fault: { status: 400, message: 'no', type: 'invalid_request_error', code: 'content_filter' } },
      ],
    },
  ],
  errors: [
    { name: 'a bad key', status: 401, body: { code: 'InvalidApiKey', message: 'x' }, fault: { status: 401 } },
    { name: 'arrears', status: 400, body: { code: 'Arrearage', message: 'x' }, fault: { status: 402 } },
    {
      name: 'throttling',
      status: 429,
      body: { code: 'Throttling.RateQuota', message: 'x' },
      fault: { code: 'rate_limit_exceeded' },
    },
    {
      name: 'an unknown code',
      status: 418,
      body: { code: 'Teapot', message: 'x' },
      fault: { status: 418, code: 'Teapot' },
    },
  ],
}
