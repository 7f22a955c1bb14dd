import type { Db, Tx } from '#server/db/database.ts'
import type { RelayItemsTable } from '#server/db/tables.ts'
import { hasZero } from '#server/lib/text/without-zeros.ts'
import { createPace } from '#server/lib/turns/work-turns.ts'
import type { ListPlace } from './list-place.ts'

/** Whose items: of this thing of this user. */
export interface Parent {
  readonly user_id: number
  readonly id: string
}

const atOnce = 500

const itemsOf = (db: Db, { user_id, id }: Parent) =>
  db.selectFrom('relay_items').where('user_id', '=', user_id).where('parent', '=', id)

/** Takes places for this many items, so that what is added at the same time stands behind them; null where they do not fit. */
export async function takePlaces(
  db: Db,
  { user_id, id }: Parent,
  { count, bytes, bytesMost }: { readonly count: number; readonly bytes: number; readonly bytesMost: number },
): Promise<number | null> {
  const row = await db
    .updateTable('relay_state')
    .set((eb) => ({ items: eb('items', '+', count), items_bytes: eb('items_bytes', '+', bytes) }))
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .where((eb) => eb(eb('items_bytes', '+', bytes), '<=', bytesMost))
    .returning('items')
    .executeTakeFirst()
  return row ? row.items - count : null
}

export async function addItems(db: Db | Tx, rows: readonly RelayItemsTable[]): Promise<void> {
  const pace = createPace()
  for (let from = 0; from < rows.length; from += atOnce) {
    await db
      .insertInto('relay_items')
      .values(rows.slice(from, from + atOnce))
      .execute()
    if (pace.isDue()) await pace.giveWay()
  }
}

/** A page of items, from a place in the list on; one whose id is gone begins the list anew. */
export async function itemsAt(db: Db, parent: Parent, { order, after, limit }: ListPlace): Promise<RelayItemsTable[]> {
  const last = after === null ? undefined : await findItem(db, parent, after)
  return await itemsOf(db, parent)
    .selectAll()
    .$if(last !== undefined, (query) => query.where('position', order === 'asc' ? '>' : '<', last?.position ?? 0))
    .orderBy('position', order)
    .limit(limit)
    .execute()
}

export async function findItem(db: Db, parent: Parent, id: string): Promise<RelayItemsTable | undefined> {
  if (hasZero(id)) return undefined
  return await itemsOf(db, parent).selectAll().where('id', '=', id).orderBy('position').limit(1).executeTakeFirst()
}

/** All items, oldest first, a few at a time. */
export async function* allItems(db: Db, parent: Parent): AsyncGenerator<RelayItemsTable> {
  let last = -1
  for (;;) {
    const rows = await itemsOf(db, parent)
      .selectAll()
      .where('position', '>', last)
      .orderBy('position')
      .limit(atOnce)
      .execute()
    yield* rows
    last = rows.at(-1)?.position ?? last
    if (rows.length < atOnce) return
  }
}

/** Removes the items of this id, and their room with them. */
export async function dropItem(db: Db, parent: Parent, id: string): Promise<void> {
  if (hasZero(id)) return
  const removed = await db
    .deleteFrom('relay_items')
    .where('user_id', '=', parent.user_id)
    .where('parent', '=', parent.id)
    .where('id', '=', id)
    .returning('bytes')
    .execute()
  const bytes = removed.reduce((sum, row) => sum + row.bytes, 0)
  await db
    .updateTable('relay_state')
    .set((eb) => ({ items_bytes: eb('items_bytes', '-', bytes) }))
    .where('user_id', '=', parent.user_id)
    .where('id', '=', parent.id)
    .execute()
}

/** Removes all items in steps, so that nobody waits for many of them. */
export async function dropItems(db: Db, parent: Parent): Promise<void> {
  const pace = createPace()
  for (;;) {
    const upTo = await itemsOf(db, parent)
      .select('position')
      .orderBy('position')
      .offset(atOnce)
      .limit(1)
      .executeTakeFirst()
    await db
      .deleteFrom('relay_items')
      .where('user_id', '=', parent.user_id)
      .where('parent', '=', parent.id)
      .$if(upTo !== undefined, (query) => query.where('position', '<', upTo?.position ?? 0))
      .execute()
    if (!upTo) return
    if (pace.isDue()) await pace.giveWay()
  }
}
