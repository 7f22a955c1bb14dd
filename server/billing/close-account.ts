import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import { AppError } from '#shared/errors.ts'

/** Books what an account still has away, so that its entries add up to nothing. The row can be deleted then. */
export async function closeAccount(tx: Tx, { userId, at }: { userId: number; at: number }): Promise<void> {
  const locked = await tx.updateTable('users').set({ quota: 0 }).where('id', '=', userId).executeTakeFirst()
  if (locked.numUpdatedRows === 0n) throw new AppError('user.not_found')
  await tx.deleteFrom('holds').where('user_id', '=', userId).execute()
  const { total } = await tx
    .selectFrom('ledger_entries')
    .select(sql<number>`coalesce(sum(amount), 0)`.as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (total === 0) return
  await tx
    .insertInto('ledger_entries')
    .values({
      user_id: userId,
      token_id: 0,
      kind: 'close',
      amount: -total,
      token_amount: 0,
      ref: `close:${userId}`,
      created_at: at,
    })
    .execute()
}
