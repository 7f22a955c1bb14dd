import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'

export const name = '0018-team-statements'

/** A statement adds up all that a team ever paid: from the index alone, as for a user. */
export async function up(tx: Tx): Promise<void> {
  await sql`create index ledger_entries_team_id_created_at on ledger_entries (team_id, created_at, kind, team_amount)
    where team_id > 0`.execute(tx)
}
