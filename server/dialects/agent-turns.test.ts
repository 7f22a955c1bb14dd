import { describe, expect, test } from 'bun:test'
import { arrayOf, objectOf } from '#server/lib/json.ts'
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts'
import { gemini } from './gemini/gemini.ts'
import { openaiChat } from './openai-chat/openai-chat.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'

const hi = { role: 'user', content: 'hi' }
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
