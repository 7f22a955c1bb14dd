import { type Db, isSqlite, type Tx } from '#server/db/database.ts'
import { AppError } from '#shared/errors.ts'

/**
 * Locks users until the transaction ends, before anything else of theirs and in order, as the ledger does: nobody who waits for
 * them holds a token or a team meanwhile.
 */
export async function lockUsers(tx: Db | Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0 || isSqlite(tx)) return
  await tx.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

/** Locks who makes something of his own, so that nothing goes beyond a limit or outlives the account. */
export async function lockMaker(tx: Tx, id: number): Promise<void> {
  await lockUsers(tx, [id])
  const user = await tx.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
  if (!user) throw new AppError('auth.required')
}
