import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import type { Scope } from './scope.ts'

type Wallet = Extract<Scope, { id: number }>

/** What entries of each kind changed a wallet by, from one time up to another. */
export async function movements(tx: Tx, { kind, id }: Wallet, from: number, to: number): Promise<Map<string, number>> {
  const [owner, amount] = kind === 'team' ? ['team_id', 'team_amount'] : ['user_id', 'amount']
  // The index of teams knows only what one of them paid.
  const paid = kind === 'team' ? sql`and team_id > 0` : sql``
  const { rows } = await sql<{ kind: string; sum: number }>`
    select kind, sum(${sql.ref(amount)}) as sum from ledger_entries
    where ${sql.ref(owner)} = ${id} ${paid} and created_at >= ${from} and created_at < ${to} group by kind`.execute(tx)
  return new Map(rows.map((row) => [row.kind, row.sum]))
}
