import { sql } from 'kysely'
import type { Tx } from './database.ts'

const numbered = [
  'users',
  'tokens',
  'teams',
  'team_members',
  'team_invites',
  'channels',
  'redemptions',
  'logs',
  'unlogged_usage',
  'ledger_entries',
  'history',
  'history_items',
  'passkeys',
] as const

/** Numbers given by hand do not move PostgreSQL's counters: they go on behind the highest, or behind what was `given` out before. */
export async function continueNumbering(tx: Tx, given: ReadonlyMap<string, number> = new Map()): Promise<void> {
  for (const table of numbered) {
    const last = sql`greatest(max(id), ${given.get(table) ?? 1}::bigint)`
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last}) from ${sql.table(table)}`.execute(tx)
  }
}
