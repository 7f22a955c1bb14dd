import type { Engine, Tx } from '#server/db/database.ts'

export const name = '0011-expiring-codes'

/** Codes taken over from other programs may have a last day. */
export async function up(tx: Tx, _engine: Engine): Promise<void> {
  await tx.schema
    .alterTable('redemptions')
    .addColumn('expired_time', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}
