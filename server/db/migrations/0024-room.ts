import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'

export const name = '0024-room'

/** What a user makes free of charge is counted before more is made, on SQLite from this index alone; rows of other kinds are many. */
export async function up(tx: Tx): Promise<void> {
  await sql`create index relay_state_free on relay_state (user_id, kind, expires_at, octet_length(body_sealed))
    where kind in ('conversation', 'upload', 'file', 'anthropic-file', 'gemini-file')`.execute(tx)
}
