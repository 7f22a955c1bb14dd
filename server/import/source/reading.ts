import { damageIn } from './damage.ts'
import { type Schema, type Source, SourceLost, type SourceRow } from './source.ts'

type Query = Source['query']

/** Whatever goes wrong in the old database is thrown as `SourceLost`, with a reason an operator understands. */
export async function withSourceErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw cause instanceof SourceLost ? cause : new SourceLost(reasonOf(cause), { cause })
  }
}

/** Messages of drivers, and what they mean for an operator. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [
    /must be a MySQLConnection|connection (closed|is closed|terminated)|not queryable|terminating connection|ECONNRESET/i,
    'the connection to it was lost',
  ],
  [
    /^Failed to connect|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT/,
    'cannot connect to the host and port of its address',
  ],
  [
    /during authentication|message from backend/,
    'what is at its address does not answer, or is another kind of server: see whether mysql:// or postgres:// is meant',
  ],
]

const reasonOf = (cause: unknown): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  const meaning = meanings.find(([words]) => words.test(message))?.[1]
  return meaning ?? damageIn(cause) ?? message.replace(/\.$/, '')
}

export const guardQuery =
  (query: Query): Query =>
  (text) =>
    withSourceErrors(() => query(text))

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
