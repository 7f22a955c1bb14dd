import type { Selectable } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import type { TotpTable } from '#server/db/tables.ts'

export const findTotp = (db: Db | Tx, userId: number): Promise<Selectable<TotpTable> | undefined> =>
  db.selectFrom('totp').selectAll().where('user_id', '=', userId).executeTakeFirst()

/** A secret that waits to be confirmed, in place of one that was waiting. */
export async function savePending(tx: Tx, userId: number, sealed: string, at: number): Promise<void> {
  await tx.deleteFrom('totp').where('user_id', '=', userId).where('confirmed', '=', 0).execute()
  await tx
    .insertInto('totp')
    .values({ user_id: userId, secret_sealed: sealed, confirmed: 0, last_step: 0, created_time: at })
    .execute()
}

/** Uses a time step up. False when it, or a later one, was used before. */
export async function spendStep(db: Db | Tx, userId: number, step: number, confirm = false): Promise<boolean> {
  const used = await db
    .updateTable('totp')
    .set({ last_step: step, ...(confirm ? { confirmed: 1 } : {}) })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return used.numUpdatedRows > 0n
}

export async function replaceRecoveryCodes(tx: Tx, userId: number, hashes: readonly string[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

/** Uses a recovery code up; each works once. */
export async function spendRecoveryCode(db: Db | Tx, userId: number, hash: string): Promise<boolean> {
  const used = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return used.numDeletedRows > 0n
}

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export async function removeTotp(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('totp').where('user_id', '=', userId).execute()
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}
