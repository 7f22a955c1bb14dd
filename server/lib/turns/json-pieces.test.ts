import { expect, test } from 'bun:test'
import { writeJson } from './json-pieces.ts'

const many = (of: unknown) => Array.from({ length: 500 }, () => of)

test.each([
  ['a long list', many({ a: 1, b: undefined, c: 'ü"\n' })],
  ['a long list of what has no text', many(undefined)],
  [
    'a long list below a name',
    { success: true, gone: undefined, data: { 'the "id"': 1, rows: many([null, { a: 'b' }]) } },
  ],
  ['a long list too deep to be looked for', { a: { b: { c: { d: many(1) } } } }],
  ['dates beside a long list', { at: new Date(0), rows: many(new Date(1)) }],
  ['a short list', [1, 2, undefined]],
  ['a text', 'text'],
  ['nothing', null],
])('%s is written as JSON.stringify does', async (_what, value) => {
  expect(await writeJson(value)).toBe(JSON.stringify(value))
})
