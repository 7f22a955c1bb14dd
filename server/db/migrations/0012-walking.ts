import type { ColumnDefinitionBuilder } from 'kysely'
import type { Engine, Tx } from '#server/db/database.ts'

export const name = '0012-walking'

const text = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('')
const whole = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

export async function up(tx: Tx, _engine: Engine): Promise<void> {
  await tx.schema.alterTable('channels').addColumn('test_fault', 'text', text).execute()
  await tx.schema.alterTable('channels').addColumn('last_error', 'text', text).execute()
  await tx.schema.alterTable('channels').addColumn('last_error_time', 'bigint', whole).execute()
}
