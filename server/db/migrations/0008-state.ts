import type { ColumnDefinitionBuilder } from 'kysely'
import type { Engine, Tx } from '#server/db/database.ts'

export const name = '0008-state'

const text = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('')
const whole = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

export async function up(tx: Tx, _engine: Engine): Promise<void> {
  await tx.schema
    .createTable('relay_state')
    .addColumn('user_id', 'bigint', whole)
    .addColumn('id', 'text', text)
    .addColumn('kind', 'text', text)
    .addColumn('channel_id', 'bigint', whole)
    .addColumn('key_hash', 'text', text)
    .addColumn('parent', 'text', text)
    .addColumn('status', 'text', text)
    .addColumn('node', 'text', text)
    .addColumn('body_sealed', 'text', text)
    .addColumn('created_at', 'bigint', whole)
    .addColumn('expires_at', 'bigint', whole)
    .addPrimaryKeyConstraint('relay_state_key', ['user_id', 'id'])
    .execute()
  await tx.schema.createIndex('relay_state_expires').on('relay_state').column('expires_at').execute()
  await tx.schema.createIndex('relay_state_status').on('relay_state').column('status').execute()
}
