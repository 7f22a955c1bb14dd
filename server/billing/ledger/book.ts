import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import { AppError } from '#shared/errors.ts'
import { quotaMax } from '#shared/quota.ts'
import { heldFor, shrinkHolds } from './held.ts'

/** Why a balance changed. `settle` is a relayed request; the rest happens in the console. */
export type EntryKind = 'settle' | 'opening' | 'grant' | 'invite' | 'top-up' | 'transfer' | 'admin' | 'token' | 'close'

export interface Booking {
  /** Whose wallet changes; with a team, who caused it. */
  readonly userId: number
  /** The team whose wallet changes instead. */
  readonly teamId?: number
  readonly kind: EntryKind
  /** Positive adds to the balance, negative takes. */
  readonly amount: number
  /** Names the cause and is unique: booking the same cause twice fails. */
  readonly ref: string
  readonly at: number
}

type WalletOwner = Pick<Booking, 'userId' | 'teamId'>

const walletOf = ({ userId, teamId }: WalletOwner) =>
  teamId === undefined
    ? ({ table: 'users', holder: 'user', id: userId, missing: 'user.not_found' } as const)
    : ({ table: 'teams', holder: 'team', id: teamId, missing: 'team.not_found' } as const)

/** Changes a wallet inside the caller's transaction. Refuses what would go below zero or past exact integers. */
export async function book(tx: Tx, booking: Booking): Promise<number> {
  const { userId, teamId, kind, amount, ref, at } = booking
  const { table, id } = walletOf(booking)
  if (amount === 0) return balanceForUpdate(tx, booking)
  const row = await tx
    .updateTable(table)
    .set({ quota: sql<number>`quota + ${sql.lit(amount)}` })
    .where('id', '=', id)
    .where('quota', '>=', Math.max(0, -amount))
    .where('quota', '<=', quotaMax - Math.max(0, amount))
    .returning('quota')
    .executeTakeFirst()
  if (!row) {
    await balanceForUpdate(tx, booking)
    throw new AppError('quota.overflow')
  }
  const [own, teams] = teamId === undefined ? [amount, 0] : [0, amount]
  const cause = { kind, ref, created_at: at, token_id: 0, token_amount: 0 }
  await tx
    .insertInto('ledger_entries')
    .values({ ...cause, user_id: userId, amount: own, team_id: teamId ?? 0, team_amount: teams })
    .execute()
  return row.quota
}

/** Sets a wallet's money, holds included, to a value: the difference becomes the entry. Returns the value before. */
export async function bookTo(tx: Tx, target: Omit<Booking, 'amount'> & { quota: number }): Promise<number> {
  const { before } = await bookTotal(tx, target, () => target.quota)
  return before
}

/** Changes a wallet's money by a difference, but never below zero. Returns the values before and after. */
export function bookDifference(tx: Tx, booking: Booking): Promise<{ before: number; after: number }> {
  return bookTotal(tx, booking, (before) => Math.max(0, before + booking.amount))
}

async function bookTotal(
  tx: Tx,
  booking: Omit<Booking, 'amount'>,
  target: (before: number) => number,
): Promise<{ before: number; after: number }> {
  const { table, holder, id } = walletOf(booking)
  const balance = await balanceForUpdate(tx, booking)
  const held = await heldFor(tx, holder, id)
  const before = balance + held
  const after = target(before)
  const returned = held - (await shrinkHolds(tx, holder, id, after))
  if (returned > 0)
    await tx
      .updateTable(table)
      .set({ quota: balance + returned })
      .where('id', '=', id)
      .execute()
  await book(tx, { ...booking, amount: after - before })
  return { before, after }
}

/** A wallet's money, locked until the transaction ends. */
export async function balanceForUpdate(tx: Tx, owner: WalletOwner): Promise<number> {
  const { table, id, missing } = walletOf(owner)
  const row = await tx
    .updateTable(table)
    .set({ quota: sql<number>`quota` })
    .where('id', '=', id)
    .returning('quota')
    .executeTakeFirst()
  if (!row) throw new AppError(missing)
  return row.quota
}

/** Sets a token's remaining quota, holds included. Sending back the value that was shown changes nothing. */
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

/** The remaining quota of a restored token: the sum of its entries less its open holds, as for every balance. */
export async function reopenToken(tx: Tx, id: number): Promise<void> {
  await sql`update tokens set remain_quota =
    (select coalesce(sum(token_amount), 0) from ledger_entries where token_id = ${id})
    - (select coalesce(sum(token_amount), 0) from holds where token_id = ${id})
    where id = ${id}`.execute(tx)
}
