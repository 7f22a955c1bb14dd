import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import { offsetOf } from '#server/db/page.ts'
import type { PasskeysTable } from '#server/db/tables.ts'
import type { PageInput } from '#shared/pagination.ts'

export type PasskeyRow = Selectable<PasskeysTable>

/** `register` belongs to a user, `login` to whoever comes. */
export type ChallengePurpose = 'register' | 'register_unproven' | 'login'

interface Challenge {
  readonly hash: string
  readonly purpose: ChallengePurpose
  readonly userId: number
}

export const saveChallenge = (db: Db, { hash, purpose, userId }: Challenge, expiresAt: number) =>
  db
    .insertInto('passkey_challenges')
    .values({ challenge_hash: hash, purpose, user_id: userId, expires_at: expiresAt })
    .execute()

/** Uses a challenge up; what was signed for it cannot come a second time. */
export async function takeChallenge(db: Db, { hash, purpose, userId }: Challenge, now: number): Promise<boolean> {
  const taken = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return taken.numDeletedRows > 0n
}

const ofUser = (db: Db | Tx, userId: number) => db.selectFrom('passkeys').where('user_id', '=', userId)

export const passkeysOf = (db: Db | Tx, userId: number): Promise<PasskeyRow[]> =>
  ofUser(db, userId).selectAll().orderBy('id').execute()

export const pageOfPasskeys = (db: Db, userId: number, page: PageInput): Promise<PasskeyRow[]> =>
  ofUser(db, userId).selectAll().orderBy('id', 'desc').limit(page.pagesize).offset(offsetOf(page)).execute()

export const insertPasskey = (db: Db | Tx, row: Insertable<PasskeysTable>): Promise<PasskeyRow> =>
  db.insertInto('passkeys').values(row).returningAll().executeTakeFirstOrThrow()

export const findPasskey = (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()

export const markUsed = (db: Db, id: number, counter: number, at: number) =>
  db.updateTable('passkeys').set({ counter, used_time: at }).where('id', '=', id).execute()

export const renamePasskey = (db: Db, userId: number, id: number, name: string): Promise<PasskeyRow | undefined> =>
  db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()

export async function deletePasskey(db: Db, userId: number, id: number): Promise<boolean> {
  const removed = await db.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  return removed.numDeletedRows > 0n
}
