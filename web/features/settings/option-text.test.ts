import { describe, expect, test } from 'bun:test'
import type { OptionKey } from '#shared/options.ts'
import { inSavingOrder, isChanged, optionProblem, sentText, shownText } from './option-text.ts'

describe('texts of options', () => {
  test('an empty JSON object is shown as empty and sent as an object again', () => {
    expect(shownText('ModelRatio', { ModelRatio: '{}' })).toBe('')
    expect(sentText('ModelRatio', ' ')).toBe('{}')
    expect(sentText('Notice', '')).toBe('')
  })

  test('ratios are shown one a line, and that alone is no change', () => {
    const stored = { GroupRatio: '{"default":1,"vip":2}' }
    const shown = shownText('GroupRatio', stored)
    expect(shown).toBe('{\n  "default": 1,\n  "vip": 2\n}')
    expect(isChanged('GroupRatio', stored, { GroupRatio: shown })).toBe(false)
  })

  test('a secret that is typed and emptied again has not changed', () => {
    expect(isChanged('SMTPToken', {}, { SMTPToken: '' })).toBe(false)
    expect(isChanged('SMTPToken', {}, { SMTPToken: 'x' })).toBe(true)
  })

  test('faults are shown in the words of the specification', () => {
    expect(optionProblem('CompletionRatio', '{')).toBe('completion ratio is not a valid JSON string')
    expect(optionProblem('CompletionRatio', '')).toBeNull()
  })

  test('switches go off before their texts are saved, and on after them', () => {
    const keys: OptionKey[] = ['GitHubOAuthEnabled', 'GitHubClientId', 'RegisterEnabled', 'GitHubClientSecret']
    const on = new Set<OptionKey>(['GitHubOAuthEnabled'])
    expect(inSavingOrder(keys, (key) => String(on.has(key)))).toEqual([
      'RegisterEnabled',
      'GitHubClientId',
      'GitHubClientSecret',
      'GitHubOAuthEnabled',
    ])
  })
})
