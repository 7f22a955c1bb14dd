import type { Db, Tx } from '#server/db/database.ts'
import { looksOf } from '#server/lib/text/look-alike.ts'
import type { LoginUser } from '#shared/api/auth.ts'
import { userStatus } from '#shared/statuses.ts'

export const loginColumns = ['id', 'username', 'display_name', 'role', 'status'] as const

export type LoginRow = LoginUser & { password_hash: string }

/** By username first, so that nobody takes over an address by naming themselves after it. */
export async function findForLogin(db: Db, name: string): Promise<LoginRow | undefined> {
  const users = db.selectFrom('users').select([...loginColumns, 'password_hash'])
  return (
    (await users.where('username', '=', name).executeTakeFirst()) ??
    (await users.where('email', '=', name.toLowerCase()).where('email', '<>', '').executeTakeFirst())
  )
}

/** Replaces a hash by one of the same password, unless it has changed meanwhile. Returns whether it was replaced. */
export async function upgradeHash(db: Db, id: number, old: string, hash: string): Promise<boolean> {
  const users = db.updateTable('users').where('id', '=', id).where('password_hash', '=', old)
  return (await users.set({ password_hash: hash }).executeTakeFirst()).numUpdatedRows > 0n
}

/** Whether somebody goes by this name, or by one that looks like it. */
export const isNameTaken = async (db: Db, username: string): Promise<boolean> =>
  (await db
    .selectFrom('users')
    .select('id')
    .where(({ or, eb, and }) =>
      or([eb('username', '=', username), and([eb('name_key', '=', looksOf(username)), eb('name_key', '<>', '')])]),
    )
    .executeTakeFirst()) !== undefined

export const findByEmail = (db: Db | Tx, email: string) =>
  db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('email', '=', email)
    .where('email', '<>', '')
    .executeTakeFirst()

export const findInviter = (tx: Tx, affCode: string) =>
  tx
    .selectFrom('users')
    .select(['id', 'username'])
    .where('aff_code', '=', affCode)
    .where('aff_code', '<>', '')
    .where('status', '=', userStatus.activated)
    .executeTakeFirst()

export const setPasswordHash = (tx: Tx, id: number, hash: string) =>
  tx.updateTable('users').set({ password_hash: hash }).where('id', '=', id).executeTakeFirst()

export const findAddress = (db: Db | Tx, id: number) =>
  db.selectFrom('users').select(['email', 'password_hash']).where('id', '=', id).executeTakeFirstOrThrow()

export const setEmail = (tx: Tx, id: number, email: string) =>
  tx.updateTable('users').set({ email }).where('id', '=', id).executeTakeFirst()
