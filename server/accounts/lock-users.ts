import { isSqlite, type Tx } from '#server/db/database.ts'

/**
 * Locks users until the transaction ends, before anything else of theirs and in order, as the ledger does: nobody who waits for
 * them holds a token or a team meanwhile.
 */
export async function lockUsers(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0 || isSqlite(tx)) return
  await tx.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
}
