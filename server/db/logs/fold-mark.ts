import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'

/** The sums that are made of log rows. Each has a mark: the highest id whose row is in them. */
type Sums = 'log-fold' | 'usage-fold'

/** The mark, locked until the transaction ends. */
export async function lockMark(tx: Tx, of: Sums): Promise<number> {
  const { value } = await tx
    .insertInto('meta')
    .values({ key: of, value: '0' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: sql`meta.value` }))
    .returning('value')
    .executeTakeFirstOrThrow()
  return Number(value)
}

export async function readMark(db: Db | Tx, of: Sums): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', of).executeTakeFirst()
  return Number(row?.value ?? 0)
}

export async function writeMark(tx: Tx, of: Sums, mark: number): Promise<void> {
  await tx
    .updateTable('meta')
    .set({ value: String(mark) })
    .where('key', '=', of)
    .execute()
}
