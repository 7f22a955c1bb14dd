import { type Db, isSqlite, type Tx } from '#server/db/database.ts'
import { AppError } from '#shared/errors.ts'

/**
 * Locks users until the transaction ends, in order and before anything else of theirs, as the ledger does: no transaction that
 * waits for them holds a token or a team.
 */
export async function lockUsers(tx: Db | Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0 || isSqlite(tx)) return
  await tx.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

/** Locks the user who creates something, so that no limit is exceeded and nothing outlives the account. */
export async function lockMaker(tx: Tx, id: number): Promise<void> {
  await lockUsers(tx, [id])
  const user = await tx.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
  if (!user) throw new AppError('auth.required')
}
