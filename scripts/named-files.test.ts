import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { readDocuments, readSources, root } from './check/sources.ts'

const files = [...readSources().keys()]

/** What changed says what was there at the time. */
const documents = [...readDocuments()].filter(([path]) => path.endsWith('.md') && path !== 'CHANGELOG.md')

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name)

test('every link from a document to a file leads somewhere', () => {
  const dead = documents.flatMap(([path, text]) =>
    all(text, /\]\((?!\w+:|#)([^)#]+)/g)
      .filter((link) => !existsSync(join(root, normalize(join(dirname(path), link)))))
      .map((link) => `${path}: ${link}`),
  )
  expect(dead).toEqual([])
})

/** `x` stands for a name to be chosen. */
const isPlaceholder = (name: string): boolean => /(^|\/)x(\.ts|\/|$)/.test(name)

test('every source that a document names is there', () => {
  const dead = documents.flatMap(([path, text]) =>
    [
      ...all(text, /`([\w./-]+\.(?:ts|tsx|mjs))`/g),
      ...all(text, /`((?:shared|server|web|e2e|bench|scripts)\/[\w./-]*)`/g),
    ]
      .map((name) => name.replace(/^T\//, 'server/testing/security/'))
      .filter((name) => !isPlaceholder(name) && !existsSync(join(root, name)))
      .filter((name) => !files.some((file) => file.endsWith(`/${name}`)))
      .map((name) => `${path}: ${name}`),
  )
  expect(dead).toEqual([])
})

test('every script of the package that a document names is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const dead = documents.flatMap(([path, text]) =>
    all(text, /npm run ([\w-]+)/g)
      .filter((name) => !Object.hasOwn(scripts, name))
      .map((name) => `${path}: ${name}`),
  )
  expect(dead).toEqual([])
})
