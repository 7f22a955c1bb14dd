import { describe, expect, test } from 'bun:test'
import type { Effort } from '#server/dialects/chat.ts'
import { effortOf } from '#server/dialects/reasoning-effort.ts'
import { withinClaude } from './anthropic/models.ts'
import { withinModel } from './openai/models.ts'
import { requestOf } from './testing.ts'

/** An agent set to one model's words goes on with another, which refuses those it does not know. */
describe('an effort the model does not know is the nearest it does', () => {
  test.each<[string, Effort, Effort]>([
    ['gpt-5', 'max', 'high'],
    ['gpt-5', 'xhigh', 'high'],
    ['gpt-5', 'none', 'minimal'],
    ['gpt-5', 'minimal', 'minimal'],
    ['gpt-5-mini-2025-08-07', 'xhigh', 'high'],
    ['gpt-5-codex', 'minimal', 'low'],
    ['gpt-5-codex', 'none', 'low'],
    ['gpt-5-pro', 'low', 'high'],
    ['gpt-5.1', 'minimal', 'low'],
    ['gpt-5.1', 'none', 'none'],
    ['gpt-5.1', 'xhigh', 'high'],
    ['gpt-5.1-codex-max', 'max', 'xhigh'],
    ['gpt-5.2', 'max', 'xhigh'],
    ['gpt-5.4-pro', 'low', 'medium'],
    ['gpt-5.5', 'minimal', 'low'],
    ['gpt-5.5', 'max', 'xhigh'],
    ['gpt-5.6-sol', 'max', 'max'],
    ['gpt-6-sol', 'max', 'max'],
    ['gpt-6-sol', 'none', 'none'],
    ['gpt-6.1-sol', 'none', 'low'],
    ['gpt-6-astra', 'minimal', 'low'],
    ['o3', 'minimal', 'low'],
    ['o4-mini', 'xhigh', 'high'],
    ['o3-pro', 'medium', 'medium'],
  ])('%s, asked for %s, is sent %s', (model, effort, sent) => {
    expect(effortOf(withinModel(requestOf({ model, reasoning: { effort } })).reasoning)).toBe(sent)
  })

  test.each<[string, Effort, Effort]>([
    ['claude-opus-4-6', 'xhigh', 'high'],
    ['claude-sonnet-4-6', 'xhigh', 'high'],
    ['claude-opus-4-6', 'max', 'max'],
    ['claude-opus-4-7', 'xhigh', 'xhigh'],
    ['claude-opus-5-5', 'xhigh', 'xhigh'],
  ])('%s, asked for %s, is sent %s', (model, effort, sent) => {
    expect(effortOf(withinClaude(requestOf({ model, reasoning: { effort } })).reasoning)).toBe(sent)
  })

  test('what is thought with a budget or left to the model stays', () => {
    expect(withinModel(requestOf({ model: 'gpt-5.4', reasoning: { show: true } })).reasoning).toEqual({ show: true })
    const budget = requestOf({ model: 'gpt-5', reasoning: { budgetTokens: 9000 } })
    expect(effortOf(withinModel(budget).reasoning)).toBe('medium')
  })
})
