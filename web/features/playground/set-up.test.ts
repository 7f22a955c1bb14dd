import { expect, test } from 'bun:test'
import { askOf, type SetUp, withOwn } from './set-up.ts'

const all: SetUp = {
  models: ['a', 'b'],
  token: 0,
  system: 'Be short.',
  temperature: '0.7',
  top_p: '',
  max_tokens: '',
  reasoning: '',
  stream: true,
  json: false,
  own: {},
}

test('one column is asked differently, the others as all are', () => {
  const setUp = { ...all, own: withOwn(all, 'b', { temperature: '0', system: '' }) }
  expect(askOf(setUp, 'a', [])).toMatchObject({ temperature: 0.7, messages: [{ role: 'system' }] })
  expect(askOf(setUp, 'b', [])).toMatchObject({ temperature: 0, messages: [] })
})

test('a setting equal to the common one is not shown as a difference', () => {
  const setUp = { ...all, own: withOwn(all, 'b', { temperature: '0' }) }
  expect(withOwn(setUp, 'b', { temperature: '0.7' })).toEqual({ b: {} })
})
