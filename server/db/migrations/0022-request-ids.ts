import { sql } from 'kysely'
import type { Engine, Tx } from '#server/db/database.ts'

export const name = '0022-request-ids'

/**
 * An index of every request id was the dearest part of a row. An id of ours says when its request began, and most rows are found by
 * that; those of long requests, slices of sessions and other programs still by their id.
 */
export async function up(tx: Tx, engine: Engine): Promise<void> {
  if (engine !== 'sqlite') return
  await sql`drop index logs_request_id`.execute(tx)
  await sql`create index logs_late_request_id on logs (request_id)
    where request_id <> '' and (duration_ms >= 10000 or length(request_id) <> 26)`.execute(tx)
}
