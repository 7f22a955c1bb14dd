import type { Db, Tx } from '#server/db/database.ts'
import type { LoginUser } from '#shared/api/auth.ts'

const columns = ['id', 'username', 'display_name', 'role', 'status'] as const

/** Identities taken over from another program have their issuer from an address, without the slash some issuers end with. */
const spellings = (oidcId: string): string[] => [oidcId, oidcId.replace(/^([^#]*?)\/+#/, '$1#')]

export const findOidcOwner = (db: Db, oidcId: string): Promise<LoginUser | undefined> =>
  db.selectFrom('users').select(columns).where('oidc_id', 'in', spellings(oidcId)).executeTakeFirst()

/** Writes the identity unless the account has another one. */
export async function linkOidc(db: Db, userId: number, oidcId: string): Promise<boolean> {
  const linked = await db
    .updateTable('users')
    .set({ oidc_id: oidcId })
    .where('id', '=', userId)
    .where('oidc_id', 'in', ['', oidcId])
    .executeTakeFirst()
  return linked.numUpdatedRows > 0n
}

export const rebindOidc = (db: Db | Tx, userId: number, oidcId: string) =>
  db.updateTable('users').set({ oidc_id: oidcId }).where('id', '=', userId).execute()

/** The account a proven address belongs to, if it has no identity of a provider yet. */
export const findUnlinkedByEmail = (db: Db, email: string): Promise<LoginUser | undefined> =>
  db
    .selectFrom('users')
    .select(columns)
    .where('email', '=', email)
    .where('email', '<>', '')
    .where('oidc_id', '=', '')
    .executeTakeFirst()

export const setGroups = (db: Db, userId: number, group: string) =>
  db.updateTable('users').set({ group }).where('id', '=', userId).where('group', '<>', group).executeTakeFirst()
