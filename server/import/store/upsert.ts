import { type InsertObject, sql } from 'kysely'
import type { Tables } from '#server/db/tables.ts'
import { freeValues } from './free.ts'
import type { ImportRun } from './run.ts'

/** Rows under the numbers they had: where a number is taken already, what is given replaces what is there, and the rest stays. */
export async function upsertRows<Name extends 'users' | 'tokens' | 'redemptions'>(
  run: ImportRun,
  table: Name,
  rows: readonly (InsertObject<Tables, Name> & { readonly id: number })[],
): Promise<void> {
  await freeValues(run, table, rows)
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'id')
  const given = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))
  await run.tx.insertInto(table).values(rows).modifyEnd(sql`on conflict (id) do update set ${given}`).execute()
}
