import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import { shapes } from '#server/db/usage/shapes.ts'

export const name = '0033-attempts'

/** Attempts that another channel rescued count for the channel they were made on. What was counted before stays as it is. */
export async function up(tx: Tx): Promise<void> {
  for (const { table } of shapes) {
    const add = (column: string) => sql`alter table ${sql.table(table)} add column ${sql.raw(column)}`.execute(tx)
    await add('rescued bigint not null default 0')
    await add("try_times text not null default ''")
    await add("late_times text not null default ''")
  }
  await sql`alter table unlogged_usage add column route text not null default ''`.execute(tx)
}
