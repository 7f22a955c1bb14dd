import type { Source } from './source.ts'

/**
 * How thoroughly a file is looked at before it is read: all of its pages and the indexes of what is taken over as of one moment, the
 * latter alone (its program cannot write meanwhile), or, where it was looked at already, not at all.
 */
export type Check = 'all' | 'books' | 'none'

/** What the engine answers when nothing was found. */
const sound = 'ok'

/** Overwritten pages may still be readable as rows, so a damaged file cannot be imported in part. */
export async function refuseDamaged(query: Source['query'], books: readonly string[], check: Check): Promise<void> {
  if (check === 'none') return
  const pragmas = books.map((table) => `integrity_check('${table}')`)
  for (const pragma of check === 'all' ? ['quick_check(1)', ...pragmas] : pragmas) {
    const found = Object.values((await query(`pragma ${pragma}`))[0] ?? {})[0]
    if (found !== sound) throw new Error(damaged(String(found)))
  }
}

const damaged = (what: string): string =>
  `the file is damaged (${what.split('\n').at(-1)}). Import a backup of it, or mend a copy: sqlite3 old.db .recover | sqlite3 mended.db, and import that`

const reasons: Readonly<Record<string, (what: string) => string>> = {
  SQLITE_CORRUPT: damaged,
  SQLITE_IOERR_SHORT_READ: damaged,
  SQLITE_NOTADB: () =>
    'the file is no SQLite database. Load a dump into a database first, unpack an archive, and import that',
}

/** What the engine says of such a file, with what to do about it; undefined of anything else. */
export function damageIn(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined
  return reasons[String(cause.code)]?.(cause.message)
}
