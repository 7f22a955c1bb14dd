import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import { looksOf } from '#server/lib/text/look-alike.ts'

export const name = '0003-guards'

export async function up(tx: Tx): Promise<void> {
  await sql`create table gifts_given (identity_hash text primary key not null, given_at bigint not null default 0)`.execute(
    tx,
  )
  await sql`create table login_addresses (
    user_id bigint not null,
    address_hash text not null,
    seen_at bigint not null default 0,
    primary key (user_id, address_hash)
  )`.execute(tx)
  await sql`create index login_addresses_seen_at on login_addresses (seen_at)`.execute(tx)
  await sql`alter table redemptions add column key_sealed text not null default ''`.execute(tx)
  await sql`alter table users add column name_key text not null default ''`.execute(tx)
  await nameExisting(tx)
  await sql`create unique index users_name_key on users (name_key) where name_key <> ''`.execute(tx)
}

/** Of names that look alike already, the oldest keeps newcomers away from all of them. */
async function nameExisting(tx: Tx): Promise<void> {
  const users = await tx.selectFrom('users').select(['id', 'username']).orderBy('id').execute()
  const known = new Set<string>()
  for (const { id, username } of users) {
    const name_key = looksOf(username)
    if (known.has(name_key)) continue
    known.add(name_key)
    await tx.updateTable('users').set({ name_key }).where('id', '=', id).execute()
  }
}
