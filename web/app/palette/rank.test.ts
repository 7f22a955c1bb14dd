import { expect, test } from 'bun:test'
import { atMostTen, bestFirst } from './rank.ts'

const group = (name: string, ...labels: string[]) => ({ name, entries: labels.map((label) => ({ id: label, label })) })
const labels = (groups: ReturnType<typeof bestFirst>) => groups.map(({ entries }) => entries.map(({ label }) => label))

test('names that begin with the words stand before those that hold them, and so do their kinds', () => {
  const found = bestFirst([group('Users', 'samantha'), group('Channels', 'my-anth', 'anthropic', 'anth')], 'anth')
  expect(labels(found)).toEqual([['anth', 'anthropic', 'my-anth'], ['samantha']])
})

test('ten are shown in all, some of every kind', () => {
  const many = (prefix: string) => group(prefix, ...[1, 2, 3, 4].map((number) => `${prefix}${number}`))
  const shown = atMostTen([many('a'), many('b'), many('c'), group('d', 'd1')])
  expect(labels(shown).map(({ length }) => length)).toEqual([3, 3, 3, 1])
  expect(labels(atMostTen([many('a')]))).toEqual([['a1', 'a2', 'a3', 'a4']])
})

test('two groups of one name are shown as one', () => {
  const shown = atMostTen([group('Log', 'a request'), group('Do', 'test'), group('Log', 'its requests')])
  expect(shown.map(({ name }) => name)).toEqual(['Log', 'Do'])
  expect(labels(shown)).toEqual([['a request', 'its requests'], ['test']])
})
