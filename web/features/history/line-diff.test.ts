import { expect, test } from 'bun:test'
import { lineDiff } from './line-diff.ts'

const signs = (before: string, after: string) => lineDiff(before, after).map(({ sign, text }) => `${sign}${text}`)

test('JSON is compared line by line', () => {
  expect(signs('{"a":1,"b":2}', '{"a":1,"b":3,"c":4}')).toEqual([
    ' {',
    '   "a": 1,',
    '-  "b": 2',
    '+  "b": 3,',
    '+  "c": 4',
    ' }',
  ])
})

test('a comma list is compared name by name', () => {
  expect(signs('one,two,three', 'one,three')).toEqual([' one,', '-two,', ' three'])
})

test('what was empty is all new', () => {
  expect(signs('', 'x')).toEqual(['+x'])
  expect(signs('x', '')).toEqual(['-x'])
})
