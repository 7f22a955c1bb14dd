import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './sources.ts'

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

export type Manifest = Readonly<Record<string, Chunk>>

const budgetBytes = 250 * 1000

/** The files a browser must load before a chunk can run. */
export function filesOf(manifest: Manifest, key: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[key]
  if (!chunk || seen.has(chunk.file)) return seen
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file)
  for (const other of chunk.imports ?? []) filesOf(manifest, other, seen)
  return seen
}

/** What the first load of each page weighs, compressed. A page is a chunk the entry loads when it is needed. */
export function pageWeights(manifest: Manifest, weigh: (file: string) => number): { page: string; bytes: number }[] {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  const pages = Object.keys(manifest).filter((key) => manifest[key]?.isDynamicEntry && /-page\.tsx$/.test(key))
  return [...entries, ...pages].map((page) => {
    const files = new Set<string>()
    for (const key of [...entries, page]) filesOf(manifest, key, files)
    return { page, bytes: [...files].reduce((sum, file) => sum + weigh(file), 0) }
  })
}

export function checkBundle(): { problems: string[]; note: string } {
  const folder = join(root, 'dist', 'web')
  const manifestFile = join(folder, '.vite', 'manifest.json')
  if (!existsSync(manifestFile)) return { problems: ['the build has no manifest; set build.manifest'], note: '' }
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
  const weights = new Map<string, number>()
  const weigh = (file: string) => {
    const known = weights.get(file) ?? Bun.gzipSync(readFileSync(join(folder, file)), { level: 9 }).byteLength
    weights.set(file, known)
    return known
  }
  const pages = pageWeights(manifest, weigh).sort((a, b) => b.bytes - a.bytes)
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} KB`
  const problems = pages
    .filter(({ bytes }) => bytes > budgetBytes)
    .map(({ page, bytes }) => `${page} needs ${kilobytes(bytes)} compressed, more than ${kilobytes(budgetBytes)}`)
  return { problems, note: `heaviest first load ${kilobytes(pages[0]?.bytes ?? 0)} (${pages[0]?.page ?? 'none'})` }
}
