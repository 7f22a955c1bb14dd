import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'

export const name = '0014-lean-indexes'

/** Entries of a user are found by when they were written; a second index by when they were admitted cost every request. */
export async function up(tx: Tx): Promise<void> {
  await sql`drop index ledger_entries_user_id_admitted_at`.execute(tx)
}
