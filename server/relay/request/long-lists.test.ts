import { expect, test } from 'bun:test'
import { elementsMost, refuseLongLists } from './long-lists.ts'

const messages = (count: number) => Array.from({ length: count }, () => ({ role: 'user', content: 'hi' }))
const parts = (count: number) => Array.from({ length: count }, () => ({ type: 'text', text: 'hi' }))

test('messages, their parts and tools are counted together', () => {
  expect(() => refuseLongLists({ messages: messages(elementsMost), model: 'gpt-4o' })).not.toThrow()
  expect(() => refuseLongLists({ messages: messages(elementsMost), tools: [{}] })).toThrow('20,000')
  expect(() => refuseLongLists({ messages: messages(1), tools: parts(2001) })).toThrow('2,000 tools')
  expect(() => refuseLongLists({ messages: [{ role: 'user', content: parts(elementsMost) }] })).toThrow('20,000')
})

test('what a tool answered may hold any list', () => {
  const numbers = Array.from({ length: 100_000 }, (_, n) => n)
  const parts = [{ functionResponse: { name: 'f', response: { numbers } } }]
  expect(() => refuseLongLists({ contents: [{ role: 'user', parts }] })).not.toThrow()
})

test('a text may be a long list of tokens, and texts are counted', () => {
  const tokens = Array.from({ length: 300_000 }, (_, n) => n)
  expect(() => refuseLongLists({ input: tokens }, true)).not.toThrow()
  expect(() => refuseLongLists({ input: [tokens, tokens] }, true)).not.toThrow()
  expect(() => refuseLongLists({ input: Array.from({ length: elementsMost + 1 }, () => 'a') }, true)).toThrow('20,000')
})
