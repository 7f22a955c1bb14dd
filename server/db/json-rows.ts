import { type RawBuilder, sql } from 'kysely'
import { isSqlite, type Tx } from './database.ts'

/** A list of lists as one value of a statement, however long it is; `cell` reads from each of its rows. */
export const rowsOf = (tx: Tx, cells: readonly (readonly unknown[])[]): RawBuilder<unknown> =>
  isSqlite(tx) ? sql`json_each(${JSON.stringify(cells)})` : sql`jsonb_array_elements(${JSON.stringify(cells)}::jsonb)`

export const textCell = (at: number): RawBuilder<string> => sql<string>`(value ->> ${sql.lit(at)})`
export const numberCell = (at: number): RawBuilder<number> => sql<number>`cast(value ->> ${sql.lit(at)} as bigint)`
