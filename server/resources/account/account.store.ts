import type { Updateable } from 'kysely'
import { freeAffCode } from '#server/accounts/invitation-code.ts'
import type { UserRow } from '#server/accounts/present-user.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { UsersTable } from '#server/db/tables.ts'

export const findOwn = (db: Db | Tx, id: number): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/** Everything of a profile but its balances, which the ledger alone writes. */
export type ProfileChange = Omit<Updateable<UsersTable>, 'quota' | 'used_quota' | 'request_count' | 'role' | 'status'>

export const updateOwn = (db: Db | Tx, id: number, change: ProfileChange) =>
  db.updateTable('users').set(change).where('id', '=', id).executeTakeFirst()

/** The own invitation code; made when it is asked for the first time. */
export async function ownAffCode(tx: Tx, id: number): Promise<string> {
  const fresh = await freeAffCode(tx)
  await tx.updateTable('users').set({ aff_code: fresh }).where('id', '=', id).where('aff_code', '=', '').execute()
  const row = await tx.selectFrom('users').select('aff_code').where('id', '=', id).executeTakeFirst()
  return row?.aff_code ?? ''
}
