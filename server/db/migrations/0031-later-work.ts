import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'

export const name = '0031-later-work'

/** What a transaction leaves to be done behind it, in steps, by whichever node lives on. */
export async function up(tx: Tx): Promise<void> {
  await sql`create table later_work (kind text not null, id bigint not null,
    stamp text not null default '', primary key (kind, id))`.execute(tx)
}
