import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { contains, idIn } from '#server/db/contains.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { offsetOf } from '#server/db/page.ts'
import type { TokensTable } from '#server/db/tables.ts'
import type { tokenOrders } from '#shared/api/tokens.ts'
import type { PageInput } from '#shared/pagination.ts'
import type { TeamRole } from '#shared/teams.ts'

export type TokenRow = Selectable<TokensTable>
export type TokenOrder = (typeof tokenOrders)[number]

export interface TokenFilter {
  /** Whose; undefined: everybody's. */
  readonly userId?: number | undefined
  readonly teamId?: number | undefined
  readonly keyword: string
  /** Of the keyword, should it be a key. */
  readonly keyHash?: string
  /** Tokens whose key ends as the keyword says. */
  readonly ids?: readonly number[]
}

export interface TokenListing extends PageInput, TokenFilter {
  readonly order: TokenOrder
}

const orders: Record<TokenOrder, readonly ReturnType<typeof sql>[]> = {
  '': [],
  remain_quota: [sql`unlimited_quota desc`, sql`remain_quota desc`],
  used_quota: [sql`used_quota desc`],
}

const ofWhom = (db: Db, { userId, teamId }: Pick<TokenFilter, 'userId' | 'teamId'>) =>
  db
    .selectFrom('tokens')
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId ?? 0))

const matching = (db: Db, { keyword, keyHash = '', ids = [], ...whose }: TokenFilter) =>
  ofWhom(db, whose).$if(keyword !== '', (query) =>
    query.where(({ or, eb, ref }) =>
      or([
        eb('id', 'in', [idIn(keyword), ...ids]),
        ...(keyHash === '' ? [] : [eb('key_hash', '=', keyHash)]),
        contains(ref('name'), keyword),
      ]),
    ),
  )

/** The keys of one's tokens, sealed. */
export const sealedKeys = (db: Db, whose: Pick<TokenFilter, 'userId' | 'teamId'>) =>
  ofWhom(db, whose).select(['id', 'key_sealed']).execute()

export async function listTokens(db: Db, listing: TokenListing): Promise<TokenRow[]> {
  const by = sql.join([...orders[listing.order], sql`id desc`])
  return matching(db, listing).selectAll().orderBy(by).limit(listing.pagesize).offset(offsetOf(listing)).execute()
}

export async function countTokenRows(db: Db | Tx, listing: TokenFilter): Promise<number> {
  const row = await matching(db, listing)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export const findToken = (db: Db | Tx, userId: number, id: number): Promise<TokenRow | undefined> =>
  db.selectFrom('tokens').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()

export const findTokenById = (db: Db | Tx, id: number): Promise<TokenRow | undefined> =>
  db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst()

/** What a user is in a team; undefined when he is not in it. */
export async function membership(db: Db | Tx, teamId: number, userId: number): Promise<TeamRole | undefined> {
  const members = db.selectFrom('team_members').select('role').where('team_id', '=', teamId)
  return (await members.where('user_id', '=', userId).executeTakeFirst())?.role
}

export async function insertToken(
  tx: Tx,
  row: Omit<Insertable<TokensTable>, 'remain_quota' | 'used_quota'> & { remain_quota?: 0 },
): Promise<number> {
  const { id } = await tx.insertInto('tokens').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

export const ownerExists = async (db: Db | Tx, userId: number): Promise<boolean> =>
  (await db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()) !== undefined

/** What is left on a token is the ledger's to write, not ours. */
export type TokenFields = Omit<Updateable<TokensTable>, 'id' | 'user_id' | 'remain_quota' | 'used_quota'>

export async function updateToken(tx: Tx, id: number, fields: TokenFields): Promise<void> {
  if (Object.keys(fields).length === 0) return
  await tx.updateTable('tokens').set(fields).where('id', '=', id).execute()
}

export const deleteToken = (tx: Tx, id: number): Promise<TokenRow | undefined> =>
  tx.deleteFrom('tokens').where('id', '=', id).returningAll().executeTakeFirst()

/** Whoever has left a team brings none of its tokens back. */
export const mayHold = async (db: Db | Tx, userId: number, teamId: number): Promise<boolean> =>
  teamId === 0 ||
  (await db
    .selectFrom('team_members')
    .select('id')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst()) !== undefined
