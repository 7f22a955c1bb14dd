import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

export interface Drift {
  readonly kind: 'user' | 'token' | 'closed account'
  readonly id: number
  readonly balance: number
  /** What entries less open holds say it should be. */
  readonly proven: number
}

/** Users proven at a time, so that other work gets its turn in between. */
const windowSize = 1000

/** Proves every balance: the sum of its entries less its open holds. An empty list is the proof. */
export async function reconcile(db: Db): Promise<Drift[]> {
  const { last } = await sql<{ last: number }>`select coalesce(max(user_id), 0) as last from
    (select max(id) as user_id from users union all select max(user_id) from ledger_entries) ids`
    .execute(db)
    .then((result) => result.rows[0] ?? { last: 0 })
  const drifts: Drift[] = []
  for (let from = 0; from <= last; from += windowSize)
    drifts.push(...(await reconcileWindow(db, from, from + windowSize)))
  return drifts
}

/** One statement, so that entries, holds and balances are seen at one moment. */
async function reconcileWindow(db: Db, from: number, to: number): Promise<Drift[]> {
  const inWindow = sql`user_id >= ${from} and user_id < ${to}`
  const result = await sql<Drift>`
    with booked as (select user_id, token_id, sum(amount) as amount, sum(token_amount) as token_amount
        from ledger_entries where ${inWindow} group by user_id, token_id),
      held as (select user_id, token_id, sum(amount) as amount, sum(token_amount) as token_amount
        from holds where ${inWindow} group by user_id, token_id),
      moved as (select user_id, token_id, amount, token_amount from booked
        union all select user_id, token_id, -amount, -token_amount from held),
      by_user as (select user_id, sum(amount) as proven from moved group by user_id),
      by_token as (select token_id, sum(token_amount) as proven from moved where token_id > 0 group by token_id)
    select 'user' as kind, users.id as id, users.quota as balance, coalesce(by_user.proven, 0) as proven
      from users left join by_user on by_user.user_id = users.id
      where users.id >= ${from} and users.id < ${to} and users.quota <> coalesce(by_user.proven, 0)
    union all
    select 'token', tokens.id, tokens.remain_quota, coalesce(by_token.proven, 0)
      from tokens left join by_token on by_token.token_id = tokens.id
      where ${inWindow} and tokens.remain_quota <> coalesce(by_token.proven, 0)
    union all
    select 'closed account', by_user.user_id, 0, by_user.proven
      from by_user left join users on users.id = by_user.user_id where users.id is null and by_user.proven <> 0`.execute(
    db,
  )
  return result.rows
}
