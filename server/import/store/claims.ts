import { sql } from 'kysely'
import type { ImportRun } from './run.ts'

/** Values only one row may have, by column: the first keeps it. Those of rows before the page, and of the page so far. */
export type TakenValues<Column extends string> = Readonly<Record<Column, Set<string>>>

export interface Wanted {
  readonly table: 'users' | 'tokens' | 'redemptions'
  readonly column: string
  readonly values: readonly string[]
  /** The last row before the page. What later ones hold they have to give up. */
  readonly upTo: number
}

/** GitHub's login names are case-insensitive. */
const foldedColumns: readonly string[] = ['github_login']

export const foldedIn = (column: string, value: string): string =>
  foldedColumns.includes(column) ? value.toLowerCase() : value

/** Which of the values rows before the page hold already. */
export async function heldBefore(
  { tx, gone }: ImportRun,
  { table, column, values, upTo }: Wanted,
): Promise<Set<string>> {
  const wanted = [...new Set(values.map((value) => foldedIn(column, value)))].filter((value) => value !== '')
  if (wanted.length === 0 || upTo === 0) return new Set()
  const place = sql.ref(column)
  const held = foldedColumns.includes(column) ? sql`lower(${place})` : place
  // Repeats the condition of the partial indexes, so that they are used.
  const { rows } = await sql<{ id: number; value: string }>`select id, ${held} as value from ${sql.table(table)}
    where ${place} <> '' and ${held} in (${sql.join(wanted)})`.execute(tx)
  return new Set(rows.filter(({ id }) => id <= upTo && !gone[table].has(id)).map(({ value }) => value))
}
