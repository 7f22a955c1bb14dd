import { expect, test } from 'bun:test'
import { describeChange } from './describe.ts'

const names = Array.from({ length: 300 }, (_, at) => `model-${at}`)
const ratios = Object.fromEntries(names.map((name, at) => [name, at]))
const option = (before: string, after: string) =>
  describeChange({ kind: 'option', name: 'ModelRatio', before: { value: before }, after: { value: after } })

test('a short value is shown on both sides', () => {
  expect(option('{"a":1}', '{"a":2}')).toBe('~ option ModelRatio: value {"a":1} → {"a":2}')
})

test('of many prices those that differ are shown', () => {
  const { 'model-7': _, ...others } = ratios
  const after = JSON.stringify({ ...others, 'model-250': 0.5, fresh: 3 })
  expect(option(JSON.stringify(ratios), after)).toBe(
    '~ option ModelRatio: value - model-7, model-250 250 → 0.5, + fresh 3',
  )
})

test('of very many differences the first ones are shown, and how many there are', () => {
  const line = option(JSON.stringify(ratios), '{}')
  expect(line).toContain('- model-49, and 250 more')
  expect(line).not.toContain('model-50')
})

test('of a long list of models those that come and go are shown', () => {
  const models = names.join(',')
  const after = { models: `${models.replace(',model-9,', ',')},fresh`, weight: 2 }
  expect(describeChange({ kind: 'channel', name: 'main', before: { models, weight: 1 }, after })).toBe(
    '~ channel main: models + fresh, - model-9, weight 1 → 2',
  )
})

test('a long text is shown from where it differs', () => {
  const text = 'x'.repeat(500)
  const line = option(`${text} old end`, `${text} new end`)
  expect(line).toContain(' old end → …')
  expect(line).toEndWith(' new end')
  expect(option(text, `${text}!`)).toEndWith('x!')
})

test('a secret is changed, and what is new or gone has its name alone', () => {
  const sides = { before: { key: 'changed' }, after: { key: 'changed' } }
  expect(describeChange({ kind: 'channel', name: 'main', ...sides })).toBe('~ channel main: key changed')
  expect(describeChange({ kind: 'channel', name: 'main', before: null, after: {} })).toBe('+ channel main')
  expect(describeChange({ kind: 'channel', name: 'main', before: {}, after: null })).toBe('- channel main')
})
