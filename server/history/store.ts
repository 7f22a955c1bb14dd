import { CompiledQuery, type Selectable, sql } from 'kysely'
import { equalsFolded } from '#server/db/contains.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { offsetOf } from '#server/db/page.ts'
import type { HistoryItemsTable, HistoryTable } from '#server/db/tables.ts'
import { othersTurn } from '#server/lib/others-turn.ts'
import type { historyApi } from '#shared/api/history.ts'
import type { InputOf } from '#shared/contract.ts'
import type { StoredItem } from './item.ts'

export type EntryRow = Selectable<HistoryTable> & { username: string | null }
export type ItemRow = Selectable<HistoryItemsTable>

type Filter = InputOf<typeof historyApi.list>

/** Names come from the accounts as they are: they change, and leave with the account. */
const entries = (db: Db | Tx) => db.selectFrom('history').leftJoin('users', 'users.id', 'history.actor_id')

function matching(db: Db | Tx, { actor, kind, target, from, to }: Filter) {
  let rows = entries(db)
  if (kind) rows = rows.where('history.kind', '=', kind)
  if (from !== undefined) rows = rows.where('history.created_at', '>=', from)
  if (to !== undefined) rows = rows.where('history.created_at', '<', to)
  if (actor !== '') {
    const id = /^\d{1,15}$/.test(actor) ? Number(actor) : -1
    rows = rows.where(({ or, eb }) =>
      or([eb('users.username', '=', actor), eb('history.actor', '=', actor), eb('history.actor_id', '=', id)]),
    )
  }
  if (target !== '') {
    rows = rows.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('history_items')
          .select('history_items.id')
          .whereRef('history_items.history_id', '=', 'history.id')
          .where(({ or, eb, ref }) =>
            or([eb('history_items.target', '=', target), equalsFolded(ref('history_items.name'), target)]),
          ),
      ),
    )
  }
  return rows
}

export const listEntries = (db: Db, filter: Filter): Promise<EntryRow[]> =>
  matching(db, filter)
    .selectAll('history')
    .select('users.username')
    .orderBy('history.id', 'desc')
    .limit(filter.pagesize)
    .offset(offsetOf(filter))
    .execute()

export async function countEntries(db: Db, filter: Filter): Promise<number> {
  const { count } = await matching(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Whoever has made an entry, by the name of today; who has none any more is left out. */
export async function listActors(db: Db): Promise<string[]> {
  const rows = await entries(db).select(['users.username', 'history.actor']).distinct().execute()
  return [...new Set(rows.map(({ username, actor }) => username ?? actor))].filter(Boolean).toSorted()
}

export const entriesByIds = (db: Db | Tx, ids: readonly number[]): Promise<EntryRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : entries(db).selectAll('history').select('users.username').where('history.id', 'in', ids).execute()

export const itemsOf = (db: Db | Tx, ids: readonly number[]): Promise<ItemRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('history_items').selectAll().where('history_id', 'in', ids).orderBy('id').execute()

/** Takes the entry for an undo: of two at once, the second waits and then sees that it was undone. */
export const lockEntry = (tx: Tx, id: number) =>
  tx
    .updateTable('history')
    .set({ undone_by: sql<number>`undone_by` })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()

export const markUndone = (tx: Tx, id: number, by: number) =>
  tx.updateTable('history').set({ undone_by: by }).where('id', '=', id).execute()

/** The newest change of a thing after an entry. */
export async function laterChange(db: Db | Tx, kind: string, target: string, after: number) {
  return entries(db)
    .innerJoin('history_items', 'history_items.history_id', 'history.id')
    .select(['history.created_at', 'history.actor', 'users.username'])
    .where('history_items.kind', '=', kind)
    .where('history_items.target', '=', target)
    .where('history.id', '>', after)
    .orderBy('history.id', 'desc')
    .executeTakeFirst()
}

/** What was done to a thing since an entry. */
export const laterItems = (db: Db | Tx, kind: string, target: string, after: number): Promise<ItemRow[]> =>
  db
    .selectFrom('history_items')
    .selectAll()
    .where('kind', '=', kind)
    .where('target', '=', target)
    .where('history_id', '>', after)
    .execute()

const itemsPerInsert = 200

/** The statement of a full batch is put together once, and there is a turn for others after each. */
export async function insertItems(tx: Tx, entry: number, items: readonly StoredItem[]): Promise<void> {
  let statement = ''
  for (let at = 0; at < items.length; at += itemsPerInsert) {
    const rows = items.slice(at, at + itemsPerInsert).map(({ kind, target, name, before, after, sealed }) => ({
      history_id: entry,
      kind,
      target,
      name,
      before,
      after,
      sealed,
    }))
    if (at === 0 || rows.length < itemsPerInsert) statement = tx.insertInto('history_items').values(rows).compile().sql
    await tx.executeQuery(CompiledQuery.raw(statement, rows.flatMap(Object.values)))
    await othersTurn()
  }
}
