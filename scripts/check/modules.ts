import { posix } from 'node:path'

/** One import of a module of ours. */
export interface Import {
  /** The importing file, from the root of the project. */
  readonly from: string
  /** The imported file. */
  readonly to: string
}

export interface Modules {
  readonly files: readonly string[]
  readonly imports: readonly Import[]
  /** Imports of packages, by file. */
  readonly packages: readonly { readonly from: string; readonly name: string }[]
}

const statement = /^[ \t]*(?:import|export)\s+(?:type\s+)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"\n]+)['"]/gm
const dynamic = /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g

function* specifiersOf(source: string): Generator<string> {
  for (const [, name = ''] of source.matchAll(statement)) yield name
  for (const [, name = ''] of source.matchAll(dynamic)) yield name
}

function target(from: string, name: string): string | null {
  if (name.startsWith('.')) return posix.join(posix.dirname(from), name)
  return name.startsWith('#') ? name.slice(1) : null
}

/** Reads who imports whom out of the sources. */
export function readModules(sources: ReadonlyMap<string, string>): Modules {
  const imports: Import[] = []
  const packages: { from: string; name: string }[] = []
  for (const [from, source] of sources) {
    for (const name of specifiersOf(source)) {
      const to = target(from, name)
      if (to === null) packages.push({ from, name })
      else imports.push({ from, to: to.replace(/\?.*$/, '') })
    }
  }
  return { files: [...sources.keys()], imports, packages }
}
