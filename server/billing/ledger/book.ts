import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import { AppError } from '#shared/errors.ts'
import { quotaMax } from '#shared/quota.ts'

/** Why a balance changed. `settle` is a relayed request; the rest happens in the console. */
export type EntryKind = 'settle' | 'opening' | 'grant' | 'invite' | 'top-up' | 'admin' | 'token' | 'close'

export interface Booking {
  readonly userId: number
  readonly kind: EntryKind
  /** Positive adds to the balance, negative takes. */
  readonly amount: number
  /** Names the cause and is unique: booking the same cause twice fails. */
  readonly ref: string
  readonly at: number
}

/** Changes a user's balance inside the caller's transaction. Refuses what would go below zero or past exact integers. */
export async function book(tx: Tx, { userId, kind, amount, ref, at }: Booking): Promise<number> {
  if (amount === 0) return balanceOf(tx, userId)
  const row = await tx
    .updateTable('users')
    .set({ quota: sql<number>`quota + ${sql.lit(amount)}` })
    .where('id', '=', userId)
    .where('quota', '>=', Math.max(0, -amount))
    .where('quota', '<=', quotaMax - Math.max(0, amount))
    .returning('quota')
    .executeTakeFirst()
  if (!row) throw new AppError('quota.overflow')
  await tx
    .insertInto('ledger_entries')
    .values({ user_id: userId, token_id: 0, kind, amount, token_amount: 0, ref, created_at: at })
    .execute()
  return row.quota
}

async function balanceOf(tx: Tx, userId: number): Promise<number> {
  const row = await tx.selectFrom('users').select('quota').where('id', '=', userId).executeTakeFirst()
  if (!row) throw new AppError('user.not_found')
  return row.quota
}

/** Sets a user's balance to a value: the difference becomes the entry. Answers the balance before. */
export async function bookTo(tx: Tx, target: Omit<Booking, 'amount'> & { quota: number }): Promise<number> {
  const before = await balanceForUpdate(tx, target.userId)
  await book(tx, { ...target, amount: target.quota - before })
  return before
}

/** Changes a user's balance by a difference, but never below zero. Answers the balance before and after. */
export async function bookDifference(tx: Tx, booking: Booking): Promise<{ before: number; after: number }> {
  const before = await balanceForUpdate(tx, booking.userId)
  const after = await book(tx, { ...booking, amount: Math.max(booking.amount, -before) })
  return { before, after }
}

/** The balance, locked until the transaction ends. */
export async function balanceForUpdate(tx: Tx, userId: number): Promise<number> {
  const row = await tx
    .updateTable('users')
    .set({ quota: sql<number>`quota` })
    .where('id', '=', userId)
    .returning('quota')
    .executeTakeFirst()
  if (!row) throw new AppError('user.not_found')
  return row.quota
}

/** Sets what is left on a token, as its owner wishes. */
export async function bookTokenTo(
  tx: Tx,
  { tokenId, userId, quota, ref, at }: { tokenId: number; userId: number; quota: number; ref: string; at: number },
): Promise<void> {
  const before = await tx
    .updateTable('tokens')
    .set({ remain_quota: sql<number>`remain_quota` })
    .where('id', '=', tokenId)
    .where('user_id', '=', userId)
    .returning('remain_quota')
    .executeTakeFirst()
  if (!before) throw new AppError('token.not_found')
  if (before.remain_quota === quota) return
  await tx.updateTable('tokens').set({ remain_quota: quota }).where('id', '=', tokenId).execute()
  await tx
    .insertInto('ledger_entries')
    .values({
      user_id: userId,
      token_id: tokenId,
      kind: 'token',
      amount: 0,
      token_amount: quota - before.remain_quota,
      ref,
      created_at: at,
    })
    .execute()
}
