import { describe, expect, test } from 'bun:test'
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts'
import type { ClientDialect } from './dialect.ts'
import { openaiChat } from './openai-chat/openai-chat.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'

describe('a body that cannot be read names its field', () => {
  const said = (content: unknown) => [{ role: 'user', content }]
  const text = { type: 'text', text: 'hi' }
  test.each<[string, ClientDialect, object, string, string]>([
    ['a missing list', openaiChat, { model: 'm' }, 'messages', 'messages is required and must be a list'],
    [
      'a part that is none',
      openaiChat,
      { model: 'm', messages: said([text, 'hi']) },
      'messages[0].content[1]',
      'messages[0].content[1] must be an object',
    ],
    [
      'a block that is none',
      anthropicMessages,
      { model: 'm', max_tokens: 5, messages: said([text, 7]) },
      'messages[0].content[1]',
      'messages[0].content[1] must be an object',
    ],
    ['an item that is none', openaiResponses, { model: 'm', input: ['hi'] }, 'input[0]', 'input[0] must be an object'],
    [
      'a stop that is none',
      openaiChat,
      { model: 'm', messages: said('hi'), stop: ['a', 1] },
      'stop[1]',
      'stop[1] must be a string',
    ],
    [
      'content of another kind',
      openaiChat,
      { model: 'm', messages: said(5) },
      'messages[0].content',
      'messages[0].content must be a string or a list',
    ],
  ])('%s', (_, dialect, body, param, message) => {
    expect(() => dialect.decodeRequest(body)).toThrow(expect.objectContaining({ message, param }))
  })
})
