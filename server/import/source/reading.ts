import { type Schema, type Source, SourceLost, type SourceRow } from './source.ts'

type Query = Source['query']

/** Whatever goes wrong in the old database is said to be its fault. */
export async function blamed<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw cause instanceof SourceLost ? cause : new SourceLost(reasonOf(cause), { cause })
  }
}

/** What drivers say of a connection that is gone, in words that say so. */
const goneWords = /must be a MySQLConnection|connection (closed|is closed|terminated)|not queryable|ECONNRESET/i

const reasonOf = (cause: unknown): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  return goneWords.test(message) ? 'the connection to it was lost' : message.replace(/\.$/, '')
}

export const blaming =
  (query: Query): Query =>
  (text) =>
    blamed(() => query(text))

export const schemaOf = (rows: readonly SourceRow[]): Schema => {
  const tables = new Map<string, Set<string>>()
  for (const row of rows) {
    // MySQL answers its own names in capitals.
    const [table, column] = Object.values(row).map(String)
    if (table === undefined || column === undefined) continue
    tables.set(table, (tables.get(table) ?? new Set()).add(column))
  }
  return tables
}

export const doubleQuoted = (name: string) => `"${name.replaceAll('"', '""')}"`
