import { expect, test } from 'bun:test'
import { readDocuments, readSources } from './sources.ts'
import { checkWords } from './words.ts'

const problemsOf = (path: string, text: string) => checkWords(new Map([[path, text]]))

test('a barred word is named with its line and with plain ones', () => {
  expect(problemsOf('docs/a.md', 'One line.\nTold twice: heard once.')).toEqual([
    'docs/a.md:2 says "Told"; say which is meant: given, sent, shown, reported, answered, refused, distinguished',
    'docs/a.md:2 says "heard"; say which is meant: received, audio input',
  ])
})

test('a word that holds a barred one is another word', () => {
  expect(problemsOf('server/a.ts', "const type = 'unheard_of'")).toEqual([])
})

test('sources, style sheets and documents are seen and keep to plain words', () => {
  const texts = new Map([...readSources(), ...readDocuments()])
  for (const path of ['server/app.ts', 'web/components/table/data-table.module.css', 'docs/billing.md', 'README.md']) {
    expect(texts.has(path)).toBeTrue()
  }
  expect(checkWords(texts)).toEqual([])
})
