import { expect, test } from 'bun:test'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { countableOf } from './countable.ts'

test('everything a provider counts as input is counted: words, calls, results, pictures, tools and the wanted form', () => {
  const request = openaiChat.decodeRequest({
    model: 'm',
    messages: [
      {
        role: 'user',
        name: 'ann',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'https://p.example/a', detail: 'low' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'done' },
    ],
    tools: [{ type: 'function', function: { name: 'f', description: 'does', parameters: { type: 'object' } } }],
    response_format: { type: 'json_schema', json_schema: { name: 's', schema: { type: 'string' } } },
  })
  expect(countableOf(request)).toEqual([
    { texts: ['look'], images: [{ detail: 'low' }], name: 'ann' },
    { texts: ['f', '{"a":1}'], images: [] },
    { texts: ['done'], images: [] },
    { texts: ['{"name":"f","description":"does","parameters":{"type":"object"}}', '{"type":"string"}'] },
  ])
})
