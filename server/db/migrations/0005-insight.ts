import { sql } from 'kysely'
import type { Engine, Tx } from '#server/db/database.ts'

export const name = '0005-insight'

export async function up(tx: Tx, _: Engine): Promise<void> {
  const column = (table: string, definition: string) =>
    sql`alter table ${sql.table(table)} add column ${sql.raw(definition)}`.execute(tx)
  await column('logs', 'token_id bigint not null default 0')
  await column('logs', 'team_id bigint not null default 0')
  await column('logs', '"group" text not null default \'\'')
  await column('logs', 'cached_tokens bigint not null default 0')
  await column('logs', 'cost bigint')
  await column('logs', "route text not null default ''")
  await column('channels', 'cost_ratio double precision not null default 1')
}
