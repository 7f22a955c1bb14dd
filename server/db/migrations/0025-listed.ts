import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'

export const name = '0025-listed'

/** What callers list is read a page at a time, from any place on; rows of other kinds are many. */
export async function up(tx: Tx): Promise<void> {
  await sql`create index relay_state_listed on relay_state (user_id, kind, created_at, id)
    where kind in ('file', 'anthropic-file', 'gemini-file', 'batch', 'anthropic-batch', 'gemini-batch', 'video', 'cache')`.execute(
    tx,
  )
}
