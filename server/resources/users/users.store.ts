import { sql, type Updateable } from 'kysely'
import type { UserRow } from '#server/accounts/present-user.ts'
import { contains, idIn } from '#server/db/contains.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { offsetOf } from '#server/db/page.ts'
import type { UsersTable } from '#server/db/tables.ts'
import type { userOrders } from '#shared/api/users.ts'
import type { PageInput } from '#shared/pagination.ts'

export interface UserListing extends PageInput {
  /** Those above are left out. */
  readonly roleMax: number
  readonly keyword: string
  readonly order: (typeof userOrders)[number]
}

const matching = (db: Db, { keyword, roleMax }: Pick<UserListing, 'keyword' | 'roleMax'>) => {
  const users = db.selectFrom('users').where('role', '<=', roleMax)
  if (keyword === '') return users
  return users.where((row) =>
    row.or([
      row('id', '=', idIn(keyword)),
      contains(row.ref('username'), keyword),
      contains(row.ref('display_name'), keyword),
      contains(row.ref('email'), keyword),
    ]),
  )
}

/**
 * Newest first, or the largest of a column first. Ends with the id, so that pages neither repeat nor lose rows. Balances have no
 * index, which every request would have to keep; so only ids are sorted, not whole rows.
 */
export function listUsers(db: Db, listing: UserListing): Promise<UserRow[]> {
  const { order, pagesize } = listing
  const ids = matching(db, listing).select('id')
  const page = (order === '' ? ids : ids.orderBy(order, 'desc'))
    .orderBy('id', 'desc')
    .limit(pagesize)
    .offset(offsetOf(listing))
  const rows = db.selectFrom('users').selectAll().where('id', 'in', page)
  return (order === '' ? rows : rows.orderBy(order, 'desc')).orderBy('id', 'desc').execute()
}

export async function countUsers(db: Db, listing: UserListing): Promise<number> {
  const { total } = await matching(db, listing)
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export const findUser = (db: Db | Tx, id: number): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/** The row, locked until the transaction ends: what is decided on it stays true until it is written. */
export const lockUser = (tx: Tx, by: { id: number } | { username: string }): Promise<UserRow | undefined> => {
  const locking = tx.updateTable('users').set({ role: sql<number>`role` })
  const one = 'id' in by ? locking.where('id', '=', by.id) : locking.where('username', '=', by.username)
  return one.returningAll().executeTakeFirst()
}

/** Whether somebody else goes by this name, or by one that looks like it. */
export const isNameTaken = async (db: Db | Tx, id: number, { username, name_key }: NameOf): Promise<boolean> =>
  (await db
    .selectFrom('users')
    .select('id')
    .where('id', '<>', id)
    .where(({ or, eb, and }) =>
      or([eb('username', '=', username), and([eb('name_key', '=', name_key), eb('name_key', '<>', '')])]),
    )
    .executeTakeFirst()) !== undefined

type NameOf = Pick<UserRow, 'username' | 'name_key'>

/** Everything but the balances, which the ledger alone writes. */
export type UserChange = Omit<Updateable<UsersTable>, 'quota' | 'used_quota' | 'request_count'>

export const updateUser = (tx: Tx, id: number, change: UserChange) =>
  tx.updateTable('users').set(change).where('id', '=', id).executeTakeFirst()
