import { expect, test } from 'bun:test'
import { checkTypeNames } from './type-names.ts'

const problems = (texts: Record<string, string>) => checkTypeNames(new Map(Object.entries(texts)))

test('two rooms of the server may not export types of one name', () => {
  const found = problems({
    'server/history/record.ts': 'export interface Change {}',
    'server/lib/changes.ts': 'export type Change = string',
  })
  expect(found).toHaveLength(1)
  expect(found[0]).toContain('server/history/record.ts and server/lib/changes.ts each export a type Change')
})

test('nor may two of the console, which may use a word the server has', () => {
  const text = 'export interface Period {}'
  const texts = { 'web/features/overview/period.ts': text, 'server/billing/period.ts': text }
  expect(problems(texts)).toEqual([])
  expect(problems({ ...texts, 'web/features/history/filter.ts': text })).toHaveLength(1)
})

test('a contract and its type are one thing', () => {
  const text = 'export const Page = z.object({})\nexport type Page = z.output<typeof Page>'
  expect(problems({ 'shared/pagination.ts': text })).toEqual([])
})

test('what mirrors another program, and what only tests use, may share names', () => {
  const text = 'export interface SourceUser {}'
  const texts = { 'server/import/one-api/rows.ts': text, 'server/import/new-api/rows.ts': text }
  expect(problems({ ...texts, 'server/testing/rows.ts': text })).toEqual([])
})
