import { expect, test } from 'bun:test'
import { elementsMost, refuseLongLists } from './long-lists.ts'

const messages = (count: number) => Array.from({ length: count }, () => ({ role: 'user', content: 'hi' }))
const parts = (count: number) => Array.from({ length: count }, () => ({ type: 'text', text: 'hi' }))

test('messages, their parts and tools are counted together', () => {
  expect(() => refuseLongLists({ messages: messages(elementsMost), model: 'gpt-4o' })).not.toThrow()
  expect(() => refuseLongLists({ messages: messages(elementsMost), tools: [{}] })).toThrow('20,000')
  expect(() => refuseLongLists({ messages: [{ role: 'user', content: parts(elementsMost) }] })).toThrow('20,000')
})

test('what a tool answered may hold any list', () => {
  const numbers = Array.from({ length: 100_000 }, (_, n) => n)
  const parts = [{ functionResponse: { name: 'f', response: { numbers } } }]
  expect(() => refuseLongLists({ contents: [{ role: 'user', parts }] })).not.toThrow()
})
