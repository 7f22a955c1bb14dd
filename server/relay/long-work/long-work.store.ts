import { sql } from 'kysely'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/database.ts'
import { secondsAgo } from '#server/db/database-clock.ts'
import type { LongWorkTable } from '#server/db/tables.ts'
import { isNodeGone } from '#server/jobs/keep-lease.ts'
import { hasZero } from '#server/lib/text/without-zeros.ts'

export const addWork = (db: Db, row: LongWorkTable): Promise<unknown> =>
  db.insertInto('long_work').values(row).execute()

export const dropWork = (db: Db, id: string): Promise<unknown> =>
  db.deleteFrom('long_work').where('id', '=', id).execute()

/** Its vendor has begun. */
export const begunWork = (db: Db, id: string, vendorId: string, nextLookAt: number): Promise<unknown> =>
  db.updateTable('long_work').set({ vendor_id: vendorId, next_look_at: nextLookAt }).where('id', '=', id).execute()

/** Another key of its channel is asked. */
export const moveWork = (db: Db, id: string, keyHash: string): Promise<unknown> =>
  db.updateTable('long_work').set({ key_hash: keyHash }).where('id', '=', id).execute()

/** Nobody saw whether its vendor has begun: it is looked for. */
export const loseWork = (db: Db, id: string): Promise<unknown> =>
  db.updateTable('long_work').set({ node: '' }).where('id', '=', id).execute()

/** Whether no user has work or a thing under this id of the vendor. */
export async function isNewId(db: Db, id: string): Promise<boolean> {
  const running = db.selectFrom('long_work').select('id').where('vendor_id', '=', id).limit(1)
  const kept = db
    .selectFrom('relay_state')
    .select('id')
    .where('id', '=', id)
    // Written as the partial index is, so that the index is used.
    .where(sql<boolean>`kind in ('batch', 'anthropic-batch', 'gemini-batch', 'video')`)
    .limit(1)
  return (await running.executeTakeFirst()) === undefined && (await kept.executeTakeFirst()) === undefined
}

export async function findWork(db: Db, userId: number, vendorId: string): Promise<LongWorkTable | undefined> {
  if (hasZero(vendorId)) return undefined
  return db
    .selectFrom('long_work')
    .selectAll()
    .where('user_id', '=', userId)
    .where('vendor_id', '=', vendorId)
    .executeTakeFirst()
}

const mostAtOnce = 500

/** What is due to be looked at, that of the longest wait first. */
export const dueWork = (db: Db, now: number): Promise<LongWorkTable[]> =>
  db
    .selectFrom('long_work')
    .selectAll()
    .where('vendor_id', '!=', '')
    .where('next_look_at', '<=', now)
    .orderBy('next_look_at')
    .limit(mostAtOnce)
    .execute()

/** Puts the next look off. Returns whether nobody else did so first: of several nodes one looks. */
export async function claimLook(
  db: Db,
  { id, next_look_at }: Pick<LongWorkTable, 'id' | 'next_look_at'>,
  until: number,
): Promise<boolean> {
  const claimed = await db
    .updateTable('long_work')
    .set({ next_look_at: until })
    .where('id', '=', id)
    .where('next_look_at', '=', next_look_at)
    .executeTakeFirst()
  return claimed.numUpdatedRows > 0n
}

/** No vendor takes so long to begin. */
const beginningSeconds = 900

/** Work without a vendor's id whose node is gone or has given it up. */
export function abandonedWork({ database: { db }, nodeId }: Context): Promise<LongWorkTable[]> {
  return db
    .selectFrom('long_work')
    .leftJoin('nodes', 'nodes.id', 'long_work.node')
    .selectAll('long_work')
    .where('long_work.vendor_id', '=', '')
    .where((where) =>
      where.or([
        where('long_work.created_at', '<', secondsAgo(db, beginningSeconds)),
        where.and([where('long_work.node', '!=', nodeId), isNodeGone(db, 'long_work')]),
      ]),
    )
    .limit(mostAtOnce)
    .execute()
}
