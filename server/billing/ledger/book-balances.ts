import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import type { EntryKind } from './book.ts'

export interface Balance {
  readonly id: number
  readonly userId: number
  readonly quota: number
  /** Unique, as for every booking. */
  readonly ref: string
}

interface Balances {
  readonly of: 'users' | 'tokens'
  readonly kind: EntryKind
  readonly balances: readonly Balance[]
  readonly at: number
}

const column = { users: 'quota', tokens: 'remain_quota' } as const

/** Sets many balances at once, for accounts that nothing is held of: the differences become the entries. */
export async function bookBalances(tx: Tx, { of, kind, balances, at }: Balances): Promise<void> {
  if (balances.length === 0) return
  const rows = await tx
    .selectFrom(of)
    .select(['id', `${column[of]} as quota`])
    .where(
      'id',
      'in',
      balances.map(({ id }) => id),
    )
    .execute()
  const before = new Map(rows.map(({ id, quota }) => [id, quota]))
  const changed = balances.filter(({ id, quota }) => before.get(id) !== quota)
  if (changed.length === 0) return
  const values = sql.join(changed.map(({ id, quota }) => sql`(cast(${id} as bigint), cast(${quota} as bigint))`))
  await sql`update ${sql.table(of)} set ${sql.ref(column[of])} = due.column2
    from (values ${values}) as due where ${sql.ref(`${of}.id`)} = due.column1`.execute(tx)
  await tx
    .insertInto('ledger_entries')
    .values(
      changed.map(({ id, userId, quota, ref }) => {
        const amount = quota - (before.get(id) ?? 0)
        const [own, onToken] = of === 'users' ? [amount, 0] : [0, amount]
        const cause = { kind, ref, created_at: at }
        return { ...cause, user_id: userId, token_id: of === 'users' ? 0 : id, amount: own, token_amount: onToken }
      }),
    )
    .execute()
}

export interface PastTopUp {
  readonly userId: number
  readonly amount: number
  readonly at: number
  readonly ref: string
  /** The ref of the second entry, which takes the amount back. */
  readonly against: string
}

/** Money that came in before the balance was taken over, and is in it or spent: two entries that cancel out. */
export async function bookPast(tx: Tx, topUps: readonly PastTopUp[]): Promise<void> {
  if (topUps.length === 0) return
  const entries = topUps.flatMap(({ userId, amount, at, ref, against }) => {
    const entry = { user_id: userId, token_id: 0, token_amount: 0, created_at: at }
    return [
      { ...entry, kind: 'top-up', amount, ref },
      { ...entry, kind: 'opening', amount: -amount, ref: against },
    ]
  })
  await tx
    .insertInto('ledger_entries')
    .values(entries)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
