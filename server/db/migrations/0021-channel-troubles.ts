import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'

export const name = '0021-channel-troubles'

/** A channel that turned a request away leaves no trace in the figures when another one answered it. */
export async function up(tx: Tx): Promise<void> {
  await sql`create table channel_troubles (
    slot bigint not null, channel_id bigint not null, kind text not null, primary key (slot, channel_id, kind))`.execute(
    tx,
  )
}
