import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'

/** What a code proves: that an address is one's own, or that one may set its account's password. */
export type CodePurpose = 'verify' | 'reset'

export interface Code {
  readonly purpose: CodePurpose
  readonly subject: string
  readonly hash: string
}

const triesAllowed = 5

/** Keeps a code in place of the one before it. */
export async function saveCode(db: Db, { purpose, subject, hash }: Code, expiresAt: number): Promise<void> {
  const fresh = { code_hash: hash, expires_at: expiresAt, tries_left: triesAllowed }
  await db
    .insertInto('codes')
    .values({ purpose, subject, ...fresh })
    .onConflict((conflict) => conflict.columns(['purpose', 'subject']).doUpdateSet(fresh))
    .execute()
}

/** Whether the code is right. A wrong one costs a try, in the same statement. */
export async function tryCode(db: Db, { purpose, subject, hash }: Code, now: number): Promise<boolean> {
  const row = await db
    .updateTable('codes')
    .set({ tries_left: sql<number>`tries_left - case when code_hash = ${hash} then 0 else 1 end` })
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('expires_at', '>', now)
    .where('tries_left', '>', 0)
    .returning('code_hash')
    .executeTakeFirst()
  return row?.code_hash === hash
}

/** Uses a right code up. False when somebody else was faster. */
export async function useCode(tx: Tx, { purpose, subject, hash }: Code): Promise<boolean> {
  const result = await tx
    .deleteFrom('codes')
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}
