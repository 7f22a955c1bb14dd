import { type Fixture, toolLoop, weatherTool, withPicture } from '#server/dialects/fixture.ts'
import { ollama } from './dialect.ts'

const time = { model: 'm', created_at: '2024-01-01T00:00:00Z' }

export const ollamaFixture: Fixture = {
  dialect: ollama,
  requests: [
    {
      name: 'an image as bare base64, options apart',
      request: {
        messages: withPicture,
        temperature: 0,
        maxOutputTokens: 9,
        reasoning: { effort: 'none' },
        responseFormat: { type: 'json' },
      },
      body: {
        model: 'm',
        messages: [{ role: 'user', content: 'what is it?', images: ['iVBORw0KGgo='] }],
        stream: false,
        think: false,
        format: 'json',
        options: { temperature: 0, num_predict: 9 },
      },
    },
    {
      name: 'calls with argument objects, results by name',
      request: { messages: toolLoop, tools: [weatherTool] },
      body: {
        model: 'm',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Rome and Oslo?' },
          {
            role: 'assistant',
            content: 'Looking.',
            tool_calls: [
              { function: { name: 'weather', arguments: { city: 'Rome' } } },
              { function: { name: 'weather', arguments: {} } },
            ],
          },
          { role: 'tool', content: 'sunny', tool_name: 'weather' },
          { role: 'tool', content: 'rain', tool_name: 'weather' },
        ],
        stream: false,
        tools: [{ type: 'function', function: weatherTool }],
        options: {},
      },
    },
  ],
  answers: [
    {
      name: 'thinking and text',
      body: {
        ...time,
        message: { role: 'assistant', content: 'Hi', thinking: 'hm' },
        done: true,
        done_reason: 'length',
        prompt_eval_count: 5,
        eval_count: 2,
      },
      events: [
        { type: 'start', model: 'm', created: 1_704_067_200 },
        { type: 'reasoning-delta', text: 'hm' },
        { type: 'text-delta', text: 'Hi' },
        { type: 'finish', reason: 'length' },
        { type: 'usage', usage: { input: 5, output: 2 } },
      ],
    },
  ],
  streams: [
    {
      name: 'a call, the prompt count missing',
      frames: [
        {
          ...time,
          message: {
            role: 'assistant',
            content: '',
            tool_calls: [{ function: { name: 'weather', arguments: { city: 'Rome' } } }],
          },
          done: false,
        },
        { ...time, message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', eval_count: 2 },
      ],
      events: [
        { type: 'start', model: 'm', created: 1_704_067_200 },
        { type: 'tool-call-start', index: 0, id: 'call_*', name: 'weather' },
        { type: 'tool-call-delta', index: 0, arguments: '{"city":"Rome"}' },
        { type: 'finish', reason: 'tool-calls' },
        { type: 'usage', usage: { input: 0, output: 2 } },
      ],
    },
    {
      name: 'an error in mid-stream',
      frames: [{ error: 'runner died' }],
      events: [{ type: 'fault', fault: { status: 500, message: 'runner died', type: 'server_error' } }],
    },
  ],
  errors: [
    {
      name: 'a missing model',
      status: 404,
      body: { error: 'model "m" not found' },
      fault: { status: 404, message: 'model "m" not found' },
    },
  ],
}
