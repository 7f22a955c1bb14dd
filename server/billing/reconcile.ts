import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

export interface Drift {
  readonly kind: 'user' | 'token' | 'closed account'
  readonly id: number
  readonly balance: number
  /** What entries less open holds say it should be. */
  readonly proven: number
}

/** Proves every balance: the sum of its entries less its open holds. An empty list is the proof. */
export async function reconcile(db: Db): Promise<Drift[]> {
  const users = await sql<Drift>`
    select 'user' as kind, users.id, users.quota as balance, coalesce(booked.total, 0) - coalesce(held.total, 0) as proven
    from users
    left join (select user_id, sum(amount) as total from ledger_entries group by user_id) booked on booked.user_id = users.id
    left join (select user_id, sum(amount) as total from holds group by user_id) held on held.user_id = users.id
    where users.quota <> coalesce(booked.total, 0) - coalesce(held.total, 0)`.execute(db)
  const tokens = await sql<Drift>`
    select 'token' as kind, tokens.id, tokens.remain_quota as balance, coalesce(booked.total, 0) - coalesce(held.total, 0) as proven
    from tokens
    left join (select token_id, sum(token_amount) as total from ledger_entries where token_id > 0 group by token_id) booked
      on booked.token_id = tokens.id
    left join (select token_id, sum(token_amount) as total from holds group by token_id) held on held.token_id = tokens.id
    where tokens.remain_quota <> coalesce(booked.total, 0) - coalesce(held.total, 0)`.execute(db)
  const closed = await sql<Drift>`
    select 'closed account' as kind, user_id as id, 0 as balance, sum(amount) as proven from ledger_entries
    where user_id not in (select id from users) group by user_id having sum(amount) <> 0`.execute(db)
  return [...users.rows, ...tokens.rows, ...closed.rows]
}
