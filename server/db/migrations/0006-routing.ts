import { type ColumnDefinitionBuilder, sql } from 'kysely'
import type { Engine, Tx } from '#server/db/database.ts'

export const name = '0006-routing'

const text = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('')
const whole = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

export async function up(tx: Tx, _engine: Engine): Promise<void> {
  for (const column of ['tags', 'headers', 'overrides', 'proxy_sealed', 'test_model']) {
    await tx.schema.alterTable('channels').addColumn(column, 'text', text).execute()
  }
  await tx.schema.alterTable('channels').addColumn('pool', 'bigint', whole).execute()
  await tx.schema
    .createTable('channel_keys')
    .addColumn('channel_id', 'bigint', whole)
    .addColumn('key_hash', 'text', text)
    .addColumn('resting_until', 'bigint', whole)
    .addColumn('rest_seconds', 'bigint', whole)
    .addColumn('last_fault', 'text', text)
    .addPrimaryKeyConstraint('channel_keys_key', ['channel_id', 'key_hash'])
    .execute()
  // New installations retry twice; this one goes on as it did.
  await sql`insert into options (key, value)
    select 'RetryTimes', '0' where exists (select 1 from users)
      and not exists (select 1 from options where key = 'RetryTimes')`.execute(tx)
}
