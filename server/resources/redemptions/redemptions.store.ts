import { type Insertable, type Selectable, sql } from 'kysely'
import { contains, idIn } from '#server/db/contains.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { offsetOf } from '#server/db/page.ts'
import type { RedemptionsTable } from '#server/db/tables.ts'
import type { PageInput } from '#shared/pagination.ts'
import { redemptionStatus } from '#shared/statuses.ts'

export type RedemptionRow = Selectable<RedemptionsTable>

const matching = (db: Db, keyword: string) => {
  const all = db.selectFrom('redemptions')
  if (keyword === '') return all
  return all.where(({ or, eb, ref }) => or([eb('id', '=', idIn(keyword)), contains(ref('name'), keyword)]))
}

export const listRedemptions = (db: Db, listing: PageInput & { keyword: string }): Promise<RedemptionRow[]> =>
  matching(db, listing.keyword)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(listing.pagesize)
    .offset(offsetOf(listing))
    .execute()

export async function countRedemptions(db: Db, keyword: string): Promise<number> {
  const row = await matching(db, keyword)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export const findRedemption = (db: Db | Tx, id: number): Promise<RedemptionRow | undefined> =>
  db.selectFrom('redemptions').selectAll().where('id', '=', id).executeTakeFirst()

/** The row, locked until the transaction ends: nobody uses the code meanwhile. */
export const lockRedemption = (tx: Tx, id: number): Promise<RedemptionRow | undefined> =>
  tx.updateTable('redemptions').set({ name: sql<string>`name` }).where('id', '=', id).returningAll().executeTakeFirst()

/** Names by id; of accounts that are gone there are none. */
export async function namesOf(db: Db | Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const users = await db.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute()
  return new Map(users.map(({ id, username }) => [id, username]))
}

export const insertRedemptions = (tx: Tx, rows: Insertable<RedemptionsTable>[]): Promise<RedemptionRow[]> =>
  tx.insertInto('redemptions').values(rows).returningAll().execute()

/** Writes only while the code is not used. Returns the row as it is then, or nothing. */
export const updateUnused = (
  tx: Tx,
  id: number,
  fields: Partial<Pick<RedemptionRow, 'name' | 'quota' | 'status' | 'expired_time'>>,
): Promise<RedemptionRow | undefined> =>
  tx
    .updateTable('redemptions')
    .set({ id, ...fields })
    .where('id', '=', id)
    .where('status', '!=', redemptionStatus.used)
    .returningAll()
    .executeTakeFirst()

export const deleteRedemption = (tx: Tx, id: number): Promise<RedemptionRow | undefined> =>
  tx.deleteFrom('redemptions').where('id', '=', id).returningAll().executeTakeFirst()
