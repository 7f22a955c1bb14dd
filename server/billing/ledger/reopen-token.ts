import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'

/** What is left on a token that comes back: the sum of its entries less its open holds, as for every balance. */
export async function reopenToken(tx: Tx, id: number): Promise<void> {
  await sql`update tokens set remain_quota =
    (select coalesce(sum(token_amount), 0) from ledger_entries where token_id = ${id})
    - (select coalesce(sum(token_amount), 0) from holds where token_id = ${id})
    where id = ${id}`.execute(tx)
}
