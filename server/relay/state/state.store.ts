import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import type { RelayStateTable } from '#server/db/tables.ts'
import { hasZero } from '#server/lib/text/without-zeros.ts'
import { dropItems } from './kept-items.store.ts'

export type StateKind =
  | 'response'
  | 'item'
  | 'conversation'
  | 'thread'
  | 'cache'
  | 'upload'
  | FileKind
  | 'batch'
  | 'anthropic-batch'
  | 'gemini-batch'
  | 'video'
  | 'operation'
  | 'live'

/** Files, by the API they were uploaded with. */
export type FileKind = 'file' | 'anthropic-file' | 'gemini-file'

/** What a user makes free of charge. */
export type FreeKind = FileKind | 'conversation' | 'upload'

/** Something kept under an id, by a vendor or by the relay itself. */
export interface StateRow extends RelayStateTable {
  kind: StateKind
}

/** Without what is sealed in it. */
export interface StateHead extends Omit<StateRow, 'body_sealed'> {
  readonly size: number
}

const idsAtOnce = 500

const storable = (ids: readonly string[]): readonly string[] =>
  ids.some(hasZero) ? ids.filter((id) => !hasZero(id)) : ids

/** The user's own, unexpired rows among these ids. Other users' rows are not found, and no row has an id that cannot be stored. */
export async function findState(db: Db, userId: number, named: readonly string[], now: number): Promise<StateRow[]> {
  const ids = storable(named)
  const found: StateRow[] = []
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const rows = await db
      .selectFrom('relay_state')
      .selectAll()
      .where('user_id', '=', userId)
      .where('id', 'in', ids.slice(from, from + idsAtOnce))
      .where('expires_at', '>', now)
      .execute()
    found.push(...(rows as StateRow[]))
  }
  return found
}

/** The same without what is sealed in them, which may be long; with its length. */
export async function findHeads(db: Db, userId: number, named: readonly string[], now: number): Promise<StateHead[]> {
  const ids = storable(named)
  const found: StateHead[] = []
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const rows = await db
      .selectFrom('relay_state')
      .select(['user_id', 'id', 'kind', 'channel_id', 'key_hash', 'parent', 'status', 'node'])
      .select(['created_at', 'expires_at', 'items', 'items_bytes'])
      .select(sql<number>`octet_length(body_sealed)`.as('size'))
      .where('user_id', '=', userId)
      .where('id', 'in', ids.slice(from, from + idsAtOnce))
      .where('expires_at', '>', now)
      .execute()
    found.push(...(rows as StateHead[]))
  }
  return found
}

export async function keepState(db: Db | Tx, rows: readonly RelayStateTable[]): Promise<void> {
  for (let from = 0; from < rows.length; from += idsAtOnce) {
    await db
      .insertInto('relay_state')
      .values(rows.slice(from, from + idsAtOnce))
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'id']).doUpdateSet((eb) => ({
          kind: eb.ref('excluded.kind'),
          channel_id: eb.ref('excluded.channel_id'),
          key_hash: eb.ref('excluded.key_hash'),
          parent: eb.ref('excluded.parent'),
          status: eb.ref('excluded.status'),
          node: eb.ref('excluded.node'),
          body_sealed: eb.ref('excluded.body_sealed'),
          created_at: eb.ref('excluded.created_at'),
          expires_at: eb.ref('excluded.expires_at'),
        })),
      )
      .execute()
  }
}

/** A response that is being made, and one that is made and being paid. */
export const underWay = ['in_progress', 'settling']

/** Changes a response while it is being made; false when it is no longer. */
export async function changeMade(db: Db, { user_id, id, status, body_sealed }: StateRow): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('relay_state')
    .set({ status, body_sealed })
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Writes the end of what was being made; false when it was deleted or cancelled meanwhile. */
export async function endState(db: Db | Tx, { user_id, id, status, node, body_sealed }: StateRow): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('relay_state')
    .set({ status, node, body_sealed })
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    // The node is empty when it was wrongly taken for dead and the row was given up.
    .where((eb) => eb.or([eb('status', 'in', underWay), eb('node', '=', '')]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends what a node that is gone was making, unless it has come back meanwhile and ended it itself. */
export const abandonState = (db: Db, { user_id, id }: StateRow, body_sealed: string): Promise<unknown> =>
  db
    .updateTable('relay_state')
    .set({ status: '', node: '', body_sealed })
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .where('status', 'in', underWay)
    .execute()

/** Removes something and all that belongs to it. */
export async function dropState(db: Db, userId: number, id: string): Promise<void> {
  // Rows without a parent have '' there and must not be matched.
  if (id === '') return
  await dropItems(db, { user_id: userId, id })
  await db
    .deleteFrom('relay_state')
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('id', '=', id), eb('parent', '=', id)]))
    .execute()
}

/** Extends the lifetime of rows that were used. */
export async function prolongState(db: Db, userId: number, ids: readonly string[], until: number): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('relay_state')
    .set({ expires_at: until })
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .where('expires_at', '<', until)
    .execute()
}

/** How many of a kind a user has, and how many bytes of them are kept here. */
export async function sizeOfState(
  db: Db,
  userId: number,
  kind: FreeKind,
  now: number,
): Promise<{ readonly things: number; readonly bytes: number }> {
  const { things, bytes } = await db
    .selectFrom('relay_state')
    .select(({ fn }) => [
      fn.countAll<number>().as('things'),
      sql<number | string>`coalesce(sum(octet_length(body_sealed) + items_bytes), 0)`.as('bytes'),
    ])
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    // Written as the partial index is, so that the index is used.
    .where(sql<boolean>`kind in ('conversation', 'upload', 'file', 'anthropic-file', 'gemini-file')`)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return { things: Number(things), bytes: Number(bytes) }
}
