import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

export const root = join(import.meta.dirname, '..', '..')

/** Every source file of ours with its text. */
export function readSources(folder: string = root): Map<string, string> {
  const found = new Glob('{shared,server,web,e2e,bench,scripts}/**/*.{ts,tsx,mjs}').scanSync({ cwd: folder })
  return new Map([...found].sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}
