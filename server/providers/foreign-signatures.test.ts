import { expect, test } from 'bun:test'
import { tag } from '#server/dialects/signature.ts'
import {
  ownAnthropicThoughts,
  ownGeminiThoughts,
  ownResponsesThoughts,
  withoutAddedFields,
} from './foreign-signatures.ts'
import { openrouter } from './openrouter/provider.ts'
import type { Body } from './provider.ts'

test('a call that another provider signed goes to Gemini with the mark for foreign calls, a text without any', () => {
  const call = { functionCall: { name: 'f', args: {} } }
  const foreign = tag('anthropic-messages', 'x')
  const own = { text: 'b', thoughtSignature: 'its own' }
  const parts = [{ ...call, thoughtSignature: foreign }, { text: 'a', thoughtSignature: foreign }, own]
  expect(ownGeminiThoughts({ contents: [{ role: 'model', parts }] }).contents).toEqual([
    {
      role: 'model',
      parts: [{ ...call, thoughtSignature: 'context_engineering_is_the_way_to_go' }, { text: 'a' }, own],
    },
  ])
})

test('a thought that another provider signed goes to OpenRouter as text alone', () => {
  const own = { type: 'reasoning.text', text: 'b', signature: 'its own', index: 1 }
  const foreign = { type: 'reasoning.text', text: 'a', signature: tag('anthropic-messages', 'x'), index: 0 }
  const sealed = { type: 'reasoning.encrypted', data: tag('anthropic-messages', 'y'), index: 2 }
  const said = { role: 'assistant', content: 'c', reasoning_content: 'a' }
  const messages = [
    { ...said, reasoning_details: [foreign, own, sealed] },
    { ...said, reasoning_details: [foreign] },
  ]
  expect(openrouter.adjust?.({ messages }, {} as never, {} as never)).toEqual({
    messages: [{ ...said, reasoning_details: [own] }, said],
  })
})

test('a body without foreign proofs is the very same', () => {
  const anthropic = {
    messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: 'a', signature: 'EqoB' }] }],
  }
  const gemini = { contents: [{ role: 'model', parts: [{ text: 'a', thoughtSignature: 'own' }] }] }
  const responses = {
    input: [
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { role: 'user', content: 'hi' },
    ],
  }
  expect(ownAnthropicThoughts(anthropic)).toBe(anthropic)
  expect(ownGeminiThoughts(gemini)).toBe(gemini)
  expect(ownResponsesThoughts(responses)).toBe(responses)
})

test('what others add to an assistant’s turn is left out where it is refused, and a turn of nothing else with it', () => {
  const turn = { role: 'assistant', content: 'a', images: [{ type: 'image_url', image_url: { url: 'u' } }] }
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
  const signed = { ...call, extra_content: { google: { thought_signature: 's' } } }
  const messages = [
    { role: 'user', content: 'hi' },
    { ...turn, reasoning_content: 'hm', tool_calls: [signed, call] },
    { role: 'tool', tool_call_id: 'c', content: 'x' },
    { ...turn, content: null },
    { role: 'assistant', content: null, reasoning_content: 'hm' },
  ]
  expect(withoutAddedFields({ messages })).toEqual({
    messages: [messages[0], { role: 'assistant', content: 'a', tool_calls: [call, call] }, messages[2]],
  } as Body)
  const plain = { messages: [messages[0], { role: 'assistant', content: 'a', tool_calls: [call] }] } as Body
  expect(withoutAddedFields(plain)).toBe(plain)
})
