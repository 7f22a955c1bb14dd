import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import { AppError } from '#shared/errors.ts'
import { quotaMax } from '#shared/quota.ts'
import { heldFor, shrinkHolds } from './held.ts'

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

/** Sets what a user has, held money included, to a value: the difference becomes the entry. Answers what it was before. */
export async function bookTo(tx: Tx, target: Omit<Booking, 'amount'> & { quota: number }): Promise<number> {
  const { before } = await bookTotal(tx, target, () => target.quota)
  return before
}

/** Changes what a user has by a difference, but never below zero. Answers it before and after. */
export function bookDifference(tx: Tx, booking: Booking): Promise<{ before: number; after: number }> {
  return bookTotal(tx, booking, (before) => Math.max(0, before + booking.amount))
}

async function bookTotal(
  tx: Tx,
  booking: Omit<Booking, 'amount'>,
  target: (before: number) => number,
): Promise<{ before: number; after: number }> {
  const { userId } = booking
  const balance = await balanceForUpdate(tx, userId)
  const held = await heldFor(tx, 'user', userId)
  const before = balance + held
  const after = target(before)
  const returned = held - (await shrinkHolds(tx, 'user', userId, after))
  if (returned > 0)
    await tx
      .updateTable('users')
      .set({ quota: balance + returned })
      .where('id', '=', userId)
      .execute()
  await book(tx, { ...booking, amount: after - before })
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

/** Sets what is left on a token, held money included, as its owner wishes. What he was shown and sends back changes nothing. */
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
  const held = await heldFor(tx, 'token', tokenId)
  const stillHeld = await shrinkHolds(tx, 'token', tokenId, quota)
  await tx
    .updateTable('tokens')
    .set({ remain_quota: quota - stillHeld })
    .where('id', '=', tokenId)
    .execute()
  await tx
    .insertInto('ledger_entries')
    .values({
      user_id: userId,
      token_id: tokenId,
      kind: 'token',
      amount: 0,
      token_amount: quota - before.remain_quota - held,
      ref,
      created_at: at,
    })
    .execute()
}
