import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const tests = [...new Glob('{server,shared,web,scripts,e2e,bench}/**/*.{test,spec}.{ts,tsx}').scanSync({ cwd: root })]

interface Named {
  readonly file: string
  /** Words of the test's name, as they stand in italics behind the file. */
  readonly words: readonly string[]
}

/** Every test a document names, with the words in italics that follow it. */
function namedIn(document: string): Named[] {
  const text = read(document).replaceAll('`T/', '`server/testing/security/')
  const pattern = /`([\w./-]+\.(?:test|spec)\.tsx?)`((?:[:,;]? *\*(?!\*)[^*\n]+\*,?)*)/g
  return [...text.matchAll(pattern)].map(([, file = '', italics = '']) => ({
    file,
    words: [...italics.matchAll(/\*([^*\n]+)\*/g)].map(([, words = '']) => words),
  }))
}

/** Written in full, or as its end where that is enough. */
const found = (file: string): string[] => tests.filter((path) => path === file || path.endsWith(`/${file}`))

/** The test with the tables it draws its names from. */
const textOf = (path: string): string =>
  [path, ...[...read(path).matchAll(/'#(server\/testing\/[^']+)'/g)].map(([, table = '']) => table)]
    .map(read)
    .join('\n')

const isNamedIn = (path: string, words: string): boolean =>
  words.split('…').every((part) => textOf(path).includes(part.trim()))

describe.each(['SECURITY.md', 'docs/security-tests.md', 'docs/billing.md'])('every test that %s names', (document) => {
  const named = namedIn(document)

  test('exists', () => {
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(({ file }) => found(file).length === 0).map(({ file }) => file)).toEqual([])
  })

  test('has the name that stands beside it', () => {
    const missing = named.flatMap(({ file, words }) =>
      words.filter((text) => !found(file).some((path) => isNamedIn(path, text))).map((text) => `${file}: ${text}`),
    )
    expect(missing).toEqual([])
  })
})

test('every row of what a request costs names a test', () => {
  const rows = read('docs/billing.md')
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('|---'))
  const unnamed = rows.filter((row) => !/\| test \|$/.test(row) && !/\.test\.ts`[^|]*\|$/.test(row))
  expect(unnamed).toEqual([])
})
