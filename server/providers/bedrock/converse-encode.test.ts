import { expect, test } from 'bun:test'
import type { ChatRequest } from '#server/dialects/chat.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { providerOf } from '#server/providers/index.ts'
import { targetOf, toolsOf } from '#server/providers/testing.ts'
import { encodeConverse } from './converse-encode.ts'

const hi = { role: 'user', content: 'hi' }
const read = (body: Record<string, unknown>): ChatRequest =>
  openaiChat.decodeRequest({ model: 'amazon.nova-lite-v1:0', messages: [hi], ...body })
const encoded = (body: Record<string, unknown>) => encodeConverse(read(body))

const prepared = async (body: Record<string, unknown>) => {
  const request = read(body)
  const target = targetOf(32, { model: request.model })
  return encodeConverse((await providerOf(32).prepare?.(request, target, toolsOf())) ?? request)
}

test('instructions alone become the words of the user, and an assistant never begins', () => {
  expect(encoded({ messages: [{ role: 'system', content: 'be brief' }] })).toEqual({
    messages: [{ role: 'user', content: [{ text: 'be brief' }] }],
  })
  expect(encoded({ messages: [{ role: 'assistant', content: 'hello' }, hi] })).toMatchObject({
    messages: [{ role: 'user', content: [{ text: '.' }] }, { role: 'assistant' }, { role: 'user' }],
  })
})

const loop = [
  hi,
  {
    role: 'assistant',
    tool_calls: [{ id: 'functions.f:0', type: 'function', function: { name: 'f', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'functions.f:0', content: 'x' },
]
const tool = { type: 'function', function: { name: 'f', parameters: { properties: {} } } }

test.each([
  ['no tool may be called any more', { tools: [tool], tool_choice: 'none' }],
  ['none is named any more', {}],
])('tools of earlier calls are described when %s', (_, more) => {
  const named = { toolSpec: { name: 'f', inputSchema: { json: { type: 'object', properties: {} } } } }
  expect(encoded({ messages: loop, ...more })).toMatchObject({ toolConfig: { tools: [named] } })
})

test('ids of calls keep to the characters of AWS, the same in the call and in its result', () => {
  const text = JSON.stringify(encoded({ messages: loop }))
  const ids = [...text.matchAll(/"toolUseId":"([^"]*)"/g)].map(([, id]) => id)
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
  expect(ids[0]).toMatch(/^[a-zA-Z0-9_-]+$/)
})

test('documents have names of their own and formats as Converse calls them', () => {
  const file = (type: string) => ({ type: 'file', file: { file_data: `data:${type};base64,YQ==`, filename: 'a' } })
  const text = JSON.stringify(
    encoded({ messages: [{ ...hi, content: [file('application/pdf'), file('text/plain')] }] }),
  )
  const found = [...text.matchAll(/"document":\{"format":"(\w+)","name":"([^"]*)"/g)]
  expect(found.map(([, format]) => format)).toEqual(['pdf', 'txt'])
  expect(new Set(found.map(([, , name]) => name)).size).toBe(2)
})

test('no answer is asked for hotter than Converse takes, nor with settings its Claude refuses', async () => {
  expect(await prepared({ temperature: 1.5 })).toMatchObject({ inferenceConfig: { temperature: 1 } })
  const claude = { model: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0', temperature: 0.5, top_p: 0.5 }
  expect(await prepared(claude)).toMatchObject({ inferenceConfig: { temperature: 0.5 } })
  expect(JSON.stringify(await prepared(claude))).not.toContain('topP')
})

test.each([
  ['one JSON object', { type: 'json_object' }],
  ['{"type":"object"}', { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' } } }],
])('the form of an answer is asked for in words: %s', async (words, response_format) => {
  for (const model of ['amazon.nova-lite-v1:0', 'anthropic.claude-opus-4-6-v1'])
    expect(JSON.parse(JSON.stringify(await prepared({ model, response_format }))).system[0].text).toContain(words)
})

const sonnet = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
const opus = 'anthropic.claude-opus-4-6-v1'

test.each([
  ['a budget', sonnet, { thinking: { type: 'enabled' } }],
  ['an effort', opus, { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
])('Claude is asked to think by %s, without settings it refuses beside that', async (_, model, own) => {
  const asked = { model, reasoning_effort: 'low', max_completion_tokens: 20_000, temperature: 0.5 }
  const sent = await prepared(asked)
  expect(sent).toMatchObject({ additionalModelRequestFields: own })
  expect(sent).toHaveProperty('inferenceConfig', { maxTokens: 20_000 })
  expect(await prepared({ model })).not.toHaveProperty('additionalModelRequestFields')
})

test('no other model is asked to think in words of Claude, nor Claude after calls whose thoughts were not given back', async () => {
  const asked = { reasoning_effort: 'low', max_completion_tokens: 20_000 }
  expect(await prepared(asked)).not.toHaveProperty('additionalModelRequestFields')
  const looped = { ...asked, model: sonnet, messages: loop, tools: [tool] }
  expect(await prepared(looped)).not.toHaveProperty('additionalModelRequestFields')
})

test('Claude in its own words is sent the betas that AWS knows', () => {
  const betas = 'claude-code-20250219, interleaved-thinking-2025-05-14,context-1m-2025-08-07'
  const target = targetOf(32, {
    model: 'anthropic.claude-opus-4-6-v1',
    clientDialect: 'anthropic-messages',
    passed: (header) => (header === 'anthropic-beta' ? betas : undefined),
  })
  const adjusted = (to: typeof target) => providerOf(32).adjust?.({ model: 'm', messages: [] }, to, toolsOf())
  const carried = ['interleaved-thinking-2025-05-14', 'context-1m-2025-08-07']
  expect(adjusted(target)).toMatchObject({ anthropic_beta: carried })
  expect(adjusted({ ...target, passed: () => 'claude-code-20250219' })).not.toHaveProperty('anthropic_beta')
})
