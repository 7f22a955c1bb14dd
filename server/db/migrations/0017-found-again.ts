import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'

export const name = '0017-found-again'

/** Whether somebody was given what a vendor has is asked when its beginning was lost; rows of other kinds are many. */
export async function up(tx: Tx): Promise<void> {
  await sql`create index relay_state_made on relay_state (id)
    where kind in ('batch', 'anthropic-batch', 'gemini-batch', 'video')`.execute(tx)
}
