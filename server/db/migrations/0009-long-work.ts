import type { ColumnDefinitionBuilder } from 'kysely'
import type { Engine, Tx } from '#server/db/database.ts'

export const name = '0009-long-work'

const text = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('')
const whole = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

/** What vendors work on for hours, and what is held for it meanwhile. */
export async function up(tx: Tx, _engine: Engine): Promise<void> {
  await tx.schema
    .createTable('long_work')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('kind', 'text', text)
    .addColumn('user_id', 'bigint', whole)
    .addColumn('vendor_id', 'text', text)
    .addColumn('channel_id', 'bigint', whole)
    .addColumn('key_hash', 'text', text)
    .addColumn('node', 'text', text)
    .addColumn('facts_sealed', 'text', text)
    .addColumn('created_at', 'bigint', whole)
    .addColumn('next_look_at', 'bigint', whole)
    .addColumn('ends_at', 'bigint', whole)
    .execute()
  await tx.schema.createIndex('long_work_next_look').on('long_work').column('next_look_at').execute()
  await tx.schema.createIndex('long_work_vendor_id').on('long_work').columns(['user_id', 'vendor_id']).execute()
}
