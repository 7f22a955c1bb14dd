import { type ColumnDefinitionBuilder, type CreateTableBuilder, sql } from 'kysely'
import type { Engine, Tx } from '#server/db/database.ts'

type Table = CreateTableBuilder<string, string>

const text = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('')
const whole = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
const texts = (table: Table, ...names: string[]) =>
  names.reduce((built, name) => built.addColumn(name, 'text', text), table)
const wholes = (table: Table, ...names: string[]) =>
  names.reduce((built, name) => built.addColumn(name, 'bigint', whole), table)

export const name = '0007-trust'

/** What was changed by whom, and the ways to sign in beyond a password. */
export async function up(tx: Tx, engine: Engine): Promise<void> {
  const withId = (table: string): Table =>
    engine === 'sqlite'
      ? tx.schema.createTable(table).addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      : tx.schema
          .createTable(table)
          .addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity())
  await history(tx, withId)
  await factors(tx, withId)
  await logins(tx)
}

type WithId = (table: string) => Table

async function history(tx: Tx, withId: WithId): Promise<void> {
  const entries = texts(withId('history'), 'actor', 'address', 'kind', 'final')
  await wholes(entries, 'created_at', 'actor_id', 'undoes', 'undone_by').execute()
  await sql`create index history_created_at on history (created_at)`.execute(tx)
  await sql`create index history_actor_id on history (actor_id)`.execute(tx)
  const items = texts(withId('history_items'), 'kind', 'target', 'name', 'before', 'after', 'sealed')
  await wholes(items, 'history_id').execute()
  await sql`create index history_items_history_id on history_items (history_id)`.execute(tx)
  await sql`create index history_items_sealed on history_items (history_id) where sealed <> '' and sealed <> 'expired'`.execute(
    tx,
  )
  await sql`create index history_items_target on history_items (kind, target)`.execute(tx)
}

async function factors(tx: Tx, withId: WithId): Promise<void> {
  const totp = tx.schema.createTable('totp').addColumn('user_id', 'bigint', (column) => column.primaryKey())
  await wholes(texts(totp, 'secret_sealed'), 'confirmed', 'last_step', 'created_time').execute()
  const codes = wholes(texts(tx.schema.createTable('recovery_codes'), 'code_hash'), 'user_id')
  await codes.addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'code_hash']).execute()
  const keys = texts(withId('passkeys'), 'credential_id', 'public_key', 'transports', 'name')
  await wholes(keys, 'user_id', 'counter', 'created_time', 'used_time').execute()
  await sql`create unique index passkeys_credential_id on passkeys (credential_id)`.execute(tx)
  await sql`create index passkeys_user_id on passkeys (user_id)`.execute(tx)
}

async function logins(tx: Tx): Promise<void> {
  const keyed = (table: string, key: string): Table =>
    tx.schema.createTable(table).addColumn(key, 'text', (column) => column.primaryKey().notNull())
  const tickets = texts(keyed('login_tickets', 'ticket_hash'), 'challenge')
  await wholes(tickets, 'user_id', 'expires_at', 'tries_left').execute()
  const challenges = texts(keyed('passkey_challenges', 'challenge_hash'), 'purpose')
  await wholes(challenges, 'user_id', 'expires_at').execute()
  const devices = wholes(texts(tx.schema.createTable('known_devices'), 'device_hash'), 'user_id', 'seen_at')
  await devices.addPrimaryKeyConstraint('known_devices_key', ['user_id', 'device_hash']).execute()
  for (const column of ['device', 'address']) {
    await tx.schema.alterTable('sessions').addColumn(column, 'text', text).execute()
  }
  await tx.schema.alterTable('sessions').addColumn('last_seen', 'bigint', whole).execute()
  await tx.schema.alterTable('oauth_states').addColumn('sealed', 'text', text).execute()
  await tx.schema.alterTable('users').addColumn('oidc_id', 'text', text).execute()
  await sql`create unique index users_oidc_id on users (oidc_id) where oidc_id <> ''`.execute(tx)
}
