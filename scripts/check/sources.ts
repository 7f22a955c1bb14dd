import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

export const root = join(import.meta.dirname, '..', '..')

function readAll(pattern: string, folder: string): Map<string, string> {
  const found = new Glob(pattern).scanSync({ cwd: folder })
  return new Map([...found].sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

/** Every source file of ours with its text. */
export const readSources = (folder: string = root): Map<string, string> =>
  readAll('{shared,server,web,e2e,bench,scripts}/**/*.{ts,tsx,mjs}', folder)

/** What people read beside the sources, and style sheets, with their text. */
export const readDocuments = (): Map<string, string> =>
  new Map(['*.md', 'docs/**/*.md', 'web/**/*.css'].flatMap((pattern) => [...readAll(pattern, root)]))
