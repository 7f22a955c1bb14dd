import { expect, test } from 'bun:test'
import { timesOpenaiTokens } from './claude-tokens.ts'

test.each([
  ['claude-opus-5-5', 1.7],
  ['claude-opus-4-7', 1.7],
  ['anthropic/claude-opus-4.8', 1.7],
  ['us.anthropic.claude-sonnet-5-v1:0', 1.7],
  ['claude-fable-10', 1.7],
  ['claude-opus-4-6', 1.3],
  ['claude-sonnet-4-5-20250929', 1.3],
  ['claude-opus-4-20250514', 1.3],
  ['claude-3-5-haiku-20241022', 1.3],
  ['claude-2.1', 1.3],
  ['gpt-4o', 1],
])('%s makes %d tokens of one of OpenAI', (model, times) => {
  expect(timesOpenaiTokens(model)).toBe(times)
})
