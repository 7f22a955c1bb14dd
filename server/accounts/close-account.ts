import { balanceForUpdate } from '#server/billing/ledger/book.ts'
import type { Tx } from '#server/db/database.ts'

/** Books an account's remaining balance out, so that its entries add up to zero and the row can be deleted. */
export async function closeAccount(tx: Tx, { userId, at }: { userId: number; at: number }): Promise<void> {
  const left = await balanceForUpdate(tx, { userId })
  // Holds on a team's wallet belong to the team.
  const holds = await tx
    .deleteFrom('holds')
    .where('user_id', '=', userId)
    .where('team_id', '=', 0)
    .returning('amount')
    .execute()
  const total = holds.reduce((sum, { amount }) => sum + amount, left)
  await tx.updateTable('users').set({ quota: 0 }).where('id', '=', userId).execute()
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
