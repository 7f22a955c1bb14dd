import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { contains, idIn } from '#server/db/contains.ts'
import { type Db, isSqlite, type Tx } from '#server/db/database.ts'
import { offsetOf } from '#server/db/page.ts'
import type { ChannelsTable } from '#server/db/tables.ts'
import type { ChannelFilter } from '#shared/channel-filter.ts'
import type { PageInput } from '#shared/pagination.ts'
import { channelStatus } from '#shared/statuses.ts'

export type ChannelRow = Selectable<ChannelsTable>

/** `keyHash` finds a channel by its whole key. */
export interface ChannelSearch extends ChannelFilter {
  readonly keyword: string
  readonly keyHash: string
}

/** True where a comma-separated list has this name. */
const lists = (column: 'group' | 'models' | 'tags', name: string) =>
  sql<SqlBool>`',' || ${sql.ref(column)} || ',' like ${`%,${name.replace(/[\\%_]/g, '\\$&')},%`} escape '\\'`

const matching = (db: Db, { keyword, keyHash, type, status, group, model, tag }: ChannelSearch) => {
  const all = db
    .selectFrom('channels')
    .$if(type !== undefined, (query) => query.where('type', '=', type ?? 0))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 0))
    .$if(Boolean(group), (query) => query.where(lists('group', group ?? '')))
    .$if(Boolean(model), (query) => query.where(lists('models', model ?? '')))
    .$if(Boolean(tag), (query) => query.where(lists('tags', tag ?? '')))
  if (keyword === '') return all
  return all.where(({ or, eb, ref }) =>
    or([
      eb('id', '=', idIn(keyword)),
      eb('key_hash', '=', keyHash),
      contains(ref('name'), keyword),
      contains(ref('base_url'), keyword),
      contains(ref('tags'), keyword),
    ]),
  )
}

export const listChannels = (db: Db, search: ChannelSearch, page: PageInput): Promise<ChannelRow[]> =>
  matching(db, search).selectAll().orderBy('id', 'desc').limit(page.pagesize).offset(offsetOf(page)).execute()

export async function countChannels(db: Db, search: ChannelSearch): Promise<{ total: number; enabled: number }> {
  const rows = await matching(db, search)
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    enabled: rows.find(({ status }) => status === channelStatus.enabled)?.count ?? 0,
  }
}

/** The tags of all channels, as they are written. */
export async function listTags(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('channels').select('tags').distinct().where('tags', '!=', '').execute()
  return rows.map(({ tags }) => tags)
}

export const findChannel = (db: Db | Tx, id: number): Promise<ChannelRow | undefined> =>
  db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst()

export const findChannels = (db: Db | Tx): Promise<ChannelRow[]> =>
  db.selectFrom('channels').selectAll().orderBy('id').execute()

/** Those of these that are there, locked until the transaction ends: what is decided on them stays true until it is written. */
export const lockChannels = (tx: Tx, ids: readonly number[]): Promise<ChannelRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : locking(tx).where('id', 'in', ids).execute()

export const lockAllChannels = (tx: Tx): Promise<ChannelRow[]> => locking(tx).execute()

/** In order of their numbers, as whoever settles does: none waits for another in turn. */
const locking = (tx: Tx) => {
  const rows = tx.selectFrom('channels').selectAll().orderBy('id')
  return isSqlite(tx) ? rows : rows.forUpdate()
}

export const insertChannel = (tx: Tx, row: Insertable<ChannelsTable>): Promise<ChannelRow> =>
  tx.insertInto('channels').values(row).returningAll().executeTakeFirstOrThrow()

export const updateChannel = (tx: Tx, id: number, fields: Updateable<ChannelsTable>): Promise<ChannelRow | undefined> =>
  tx.updateTable('channels').set(fields).where('id', '=', id).returningAll().executeTakeFirst()

async function removeKeyStates(tx: Tx, removed: ChannelRow[]): Promise<ChannelRow[]> {
  for (const { id } of removed) await tx.deleteFrom('channel_keys').where('channel_id', '=', id).execute()
  return removed
}

export const deleteChannel = async (tx: Tx, id: number): Promise<ChannelRow | undefined> => {
  const removed = await tx.deleteFrom('channels').where('id', '=', id).returningAll().execute()
  return (await removeKeyStates(tx, removed))[0]
}

/** Also those that were disabled automatically. */
export const deleteDisabledChannels = async (tx: Tx): Promise<ChannelRow[]> => {
  const off = [channelStatus.manuallyDisabled, channelStatus.autoDisabled]
  await locking(tx).where('status', 'in', off).execute()
  const removed = await tx.deleteFrom('channels').where('status', 'in', off).returningAll().execute()
  return removeKeyStates(tx, removed)
}
