import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'

export const name = '0026-relay-items'

/**
 * Items of conversations are rows, so that reading a page costs a page. A conversation that still has them in its own row (`items`
 * of -1) is taken apart when it is next used: what is sealed cannot be opened here.
 */
export async function up(tx: Tx): Promise<void> {
  await sql`alter table relay_state add column items bigint not null default 0`.execute(tx)
  await sql`alter table relay_state add column items_bytes bigint not null default 0`.execute(tx)
  await sql`update relay_state set items = -1 where kind = 'conversation' and channel_id = 0`.execute(tx)
  await tx.schema
    .createTable('relay_items')
    .addColumn('user_id', 'bigint', (column) => column.notNull())
    .addColumn('parent', 'text', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('body_sealed', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('relay_items_key', ['user_id', 'parent', 'position'])
    .addForeignKeyConstraint('relay_items_parent', ['user_id', 'parent'], 'relay_state', ['user_id', 'id'], (parent) =>
      parent.onDelete('cascade'),
    )
    .execute()
  await tx.schema.createIndex('relay_items_id').on('relay_items').columns(['user_id', 'parent', 'id']).execute()
  await sql`drop index relay_state_free`.execute(tx)
  await sql`create index relay_state_free on relay_state (user_id, kind, expires_at, octet_length(body_sealed), items_bytes)
    where kind in ('conversation', 'upload', 'file', 'anthropic-file', 'gemini-file')`.execute(tx)
}
