import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

const keyOf = (userId: number): string => `reminded:${userId}`

/** What a user has, with what running requests hold of it. */
export async function readOwnBalance(db: Db, userId: number): Promise<number | null> {
  const row = await db
    .selectFrom('users')
    .select((select) => [
      'quota',
      select
        .selectFrom('holds')
        .select(sql<number>`coalesce(sum(amount), 0)`.as('held'))
        .where('holds.user_id', '=', userId)
        .as('held'),
    ])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ? row.quota + (row.held ?? 0) : null
}

/** True for exactly one of all who ask, until it is forgotten. */
export async function claimReminder(db: Db, userId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('meta')
    .values({ key: keyOf(userId), value: '' })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Somebody else may send it: it could not be sent. */
export const releaseReminder = (db: Db, userId: number) =>
  db.deleteFrom('meta').where('key', '=', keyOf(userId)).execute()

/** Forgets that a user was reminded, unless the quota is still below the threshold. */
export async function forgetReminder(db: Db, userId: number, threshold: number): Promise<void> {
  await db
    .deleteFrom('meta')
    .where('key', '=', keyOf(userId))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('users').select('id').where('id', '=', userId).where('quota', '<', threshold))),
    )
    .execute()
}
