import { describe, expect, test } from 'bun:test'
import { arrayOf, objectOf } from '#server/lib/json.ts'
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts'
import { gemini } from './gemini/gemini.ts'
import { openaiChat } from './openai-chat/openai-chat.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'

const hi = { role: 'user', content: 'hi' }
const f = { name: 'f', input_schema: { type: 'object', properties: {} } }
const fromClaude = (body: Record<string, unknown>) =>
  anthropicMessages.decodeRequest({ model: 'm', max_tokens: 9, messages: [hi], ...body })
const toChat = (request: Parameters<typeof openaiChat.encodeRequest>[0]) =>
  objectOf(openaiChat.encodeRequest(request)) ?? {}

describe('a turn of thoughts alone', () => {
  test('is left out where a turn needs words or calls', () => {
    const thought = { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }] }
    expect(toChat(fromClaude({ messages: [hi, thought, hi] })).messages).toEqual([hi, hi])
    const contents = [{ parts: [{ text: 'hi' }] }, { role: 'model', parts: [{ text: 'hm', thought: true }] }]
    expect(toChat(gemini.decodeRequest({ model: 'm', contents })).messages).toEqual([hi])
  })
})

describe('words between a call and its result', () => {
  test('follow the results, which chat wants right after the calls', () => {
    const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' })
    const result = (id: string) => ({ type: 'function_call_output', call_id: id, output: id })
    const note = { role: 'developer', content: 'note' }
    const input = [hi, call('a'), call('b'), note, result('a'), hi, result('b'), { role: 'user', content: 'on' }]
    const { messages } = toChat(openaiResponses.decodeRequest({ model: 'm', input }))
    const said = arrayOf(messages).map((entry) => {
      const { role, content } = objectOf(entry) ?? {}
      return `${role} ${content}`
    })
    expect(said).toEqual(['user hi', 'assistant null', 'tool a', 'tool b', 'system note', 'user hi', 'user on'])
  })
})

describe('what Anthropic’s clients give to read', () => {
  test('keeps its title, where it is from and what is said of it', () => {
    const found = {
      type: 'search_result',
      source: 'https://example.com/a',
      title: 'A page',
      content: [{ type: 'text', text: 'found' }],
    }
    const text = { type: 'text', media_type: 'text/plain', data: 'written' }
    const document = { type: 'document', title: 'A paper', context: 'of 1999', source: text }
    const { messages } = fromClaude({ messages: [{ role: 'user', content: [found, document] }] })
    expect(messages[0]?.parts.map((part) => ('text' in part ? part.text : part.type))).toEqual([
      'A page\nhttps://example.com/a',
      'found',
      'A paper\nof 1999',
      'written',
    ])
  })

  test('the tools a search of the client’s own has found are named', () => {
    const content = [{ type: 'tool_reference', tool_name: 'f' }]
    const messages = [
      hi,
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'find', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] },
    ]
    const sent = toChat(fromClaude({ messages, tools: [f] }))
    expect(arrayOf(sent.messages).at(-1)).toEqual({ role: 'tool', tool_call_id: 't', content: 'Tool found: f' })
  })
})

test('a tool that is left out is not demanded either', () => {
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }, f]
  const asked = (name: string) => fromClaude({ tools, tool_choice: { type: 'tool', name } }).toolChoice
  expect(asked('web_search')).toBe('auto')
  expect(asked('f')).toEqual({ name: 'f' })
})

describe('files of Google’s clients', () => {
  const asked = (...parts: unknown[]) => gemini.decodeRequest({ model: 'm', contents: [{ parts }] })

  test('a text reaches chat as text, for files there are PDFs', () => {
    const data = Buffer.from('a,b').toString('base64')
    const file = { inlineData: { mimeType: 'text/csv', data, displayName: 'a.csv' } }
    const [said] = arrayOf(toChat(asked(file, { text: 'sum' })).messages)
    expect(objectOf(said)?.content).toEqual([
      { type: 'text', text: 'a.csv\na,b' },
      { type: 'text', text: 'sum' },
    ])
  })

  test('a text without a name is none of a PDF’s in responses', () => {
    const { input } =
      objectOf(openaiResponses.encodeRequest(asked({ inlineData: { mimeType: 'text/plain', data: 'aGk=' } }))) ?? {}
    expect(JSON.stringify(input)).toContain('"filename":"file.txt"')
  })

  test.each([
    { fileUri: 'https://www.youtube.com/watch?v=x' },
    { fileUri: 'https://youtu.be/x', mimeType: 'video/*' },
    { fileUri: 'https://example.com/a.mp4', mimeType: 'video/mp4' },
    { fileUri: 'https://example.com/a.mp3', mimeType: 'audio/mpeg' },
  ])('a film or sound by address is refused by name, not fetched as a document: %j', (fileData) => {
    expect(() => asked({ fileData })).toThrow(/Films|Sound/)
  })
})

test('schemas as Google’s Python client spells them are understood, names of fields left alone', () => {
  const schema = {
    type: 'OBJECT',
    property_ordering: ['any_of', 'who'],
    properties: {
      any_of: { any_of: [{ type: 'INTEGER' }, { type: 'ARRAY', min_items: '1', items: { type: 'STRING' } }] },
      who: { type: 'STRING', max_length: 3 },
      tree: { ref: '#/defs/tree' },
    },
    additional_properties: false,
    defs: { tree: { type: 'OBJECT', properties: { down: { ref: '#/defs/tree' } } } },
  }
  const understood = {
    type: 'object',
    propertyOrdering: ['any_of', 'who'],
    properties: {
      any_of: { anyOf: [{ type: 'integer' }, { type: 'array', minItems: 1, items: { type: 'string' } }] },
      who: { type: 'string', maxLength: 3 },
      tree: { $ref: '#/$defs/tree' },
    },
    additionalProperties: false,
    $defs: { tree: { type: 'object', properties: { down: { $ref: '#/$defs/tree' } } } },
  }
  const contents = [{ parts: [{ text: 'hi' }] }]
  const generationConfig = { responseMimeType: 'application/json', responseSchema: schema }
  const tools = [{ functionDeclarations: [{ name: 'f', parameters: schema }] }]
  const request = gemini.decodeRequest({ model: 'm', contents, generationConfig, tools })
  expect(request.responseFormat).toMatchObject({ schema: understood })
  expect(request.tools?.[0]?.parameters).toEqual(understood)
})

test('the summary that took the place of earlier turns is carried to other models', () => {
  const summary = { role: 'assistant', content: [{ type: 'compaction', content: 'They said hello.' }] }
  const { messages } = fromClaude({ messages: [summary, hi] })
  expect(messages[0]).toEqual({ role: 'assistant', parts: [{ type: 'text', text: 'They said hello.' }] })
  const failed = {
    role: 'assistant',
    content: [
      { type: 'compaction', content: null },
      { type: 'text', text: 'a' },
    ],
  }
  expect(fromClaude({ messages: [hi, failed, hi] }).messages[1]?.parts).toEqual([{ type: 'text', text: 'a' }])
})

test('how chat asks to be served and cached is said to models that answer responses alone', () => {
  const body = { model: 'm', messages: [hi], service_tier: 'flex', prompt_cache_key: 'k' }
  expect(openaiResponses.encodeRequest(openaiChat.decodeRequest(body))).toMatchObject({
    service_tier: 'flex',
    prompt_cache_key: 'k',
  })
  const plain = objectOf(openaiResponses.encodeRequest(openaiChat.decodeRequest({ model: 'm', messages: [hi] })))
  expect(Object.keys(plain ?? {})).not.toContain('service_tier')
})
