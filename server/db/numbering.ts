import { sql } from 'kysely'
import type { Tx } from './database.ts'

const numbered = ['users', 'tokens', 'channels', 'redemptions', 'logs', 'ledger_entries'] as const

/** Numbers given by hand do not move PostgreSQL's counters: they go on behind the highest. */
export async function continueNumbering(tx: Tx): Promise<void> {
  for (const table of numbered) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), greatest(max(id), 1)) from ${sql.table(table)}`.execute(
      tx,
    )
  }
}
