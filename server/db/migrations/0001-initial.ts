import { type ColumnDefinitionBuilder, type CreateTableBuilder, sql } from 'kysely'
import type { Engine, Tx } from '#server/db/database.ts'

const text = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('')
const whole = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

type Table = CreateTableBuilder<string, string>

const texts = (table: Table, ...names: string[]) =>
  names.reduce((built, name) => built.addColumn(name, 'text', text), table)
const wholes = (table: Table, ...names: string[]) =>
  names.reduce((built, name) => built.addColumn(name, 'bigint', whole), table)

export const name = '0001-initial'

export async function up(tx: Tx, engine: Engine): Promise<void> {
  /** Ids of deleted rows are given out again only where that does no harm: it saves a write for each row. */
  const withId = (table: string, reuse = false): Table =>
    engine === 'sqlite'
      ? tx.schema
          .createTable(table)
          .addColumn('id', 'integer', (column) => (reuse ? column.primaryKey() : column.primaryKey().autoIncrement()))
      : tx.schema
          .createTable(table)
          .addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity())
  const keyed = (table: string, key: string): Table =>
    tx.schema.createTable(table).addColumn(key, 'text', (column) => column.primaryKey().notNull())
  const index = (table: string, columns: string[], more: { unique?: boolean; where?: string } = {}) => {
    const list = sql.join(columns.map((column) => sql.id(column)))
    const where = more.where ? sql.raw(` where ${more.where}`) : sql.raw('')
    const unique = sql.raw(more.unique ? 'unique ' : '')
    const label = sql.id(`${table}_${columns.join('_')}`)
    return sql`create ${unique}index ${label} on ${sql.id(table)} (${list})${where}`.execute(tx)
  }

  await accounts({ tx, withId, keyed, index, engine })
  await routing({ withId, tx, index, keyed, engine })
  await logs({ withId, tx, index, keyed, engine })
  await money({ withId, tx, index, keyed, engine })
}

interface Tools {
  tx: Tx
  engine: Engine
  withId: (table: string, reuse?: boolean) => Table
  keyed: (table: string, key: string) => Table
  index: (table: string, columns: string[], more?: { unique?: boolean; where?: string }) => Promise<unknown>
}

async function accounts({ tx, withId, keyed, index }: Tools): Promise<void> {
  let users = texts(withId('users'), 'username', 'password_hash', 'display_name', 'email', 'github_id', 'github_login')
  users = texts(users, 'wechat_id', 'access_token_hash', 'group', 'aff_code')
  await wholes(users, 'role', 'status', 'quota', 'used_quota', 'request_count', 'inviter_id', 'created_time').execute()
  await index('users', ['username'], { unique: true })
  for (const column of ['email', 'github_id', 'wechat_id', 'access_token_hash', 'aff_code']) {
    await index('users', [column], { unique: true, where: `${column} <> ''` })
  }
  await index('users', ['github_login'], { where: "github_login <> ''" })
  await index('users', ['role'], { where: 'role > 1' })

  await wholes(keyed('sessions', 'id_hash'), 'user_id', 'created_at', 'expires_at').execute()
  await index('sessions', ['user_id'])
  await index('sessions', ['expires_at'])
  const codes = texts(tx.schema.createTable('codes'), 'purpose', 'subject', 'code_hash')
  await wholes(codes, 'expires_at', 'tries_left').addPrimaryKeyConstraint('codes_key', ['purpose', 'subject']).execute()
  const states = texts(keyed('oauth_states', 'state_hash'), 'binding_hash', 'purpose')
  await wholes(states, 'user_id', 'expires_at').execute()
  const windows = wholes(texts(tx.schema.createTable('rate_windows'), 'bucket'), 'window', 'count')
  await windows.addPrimaryKeyConstraint('rate_windows_key', ['bucket', 'window']).execute()
  await index('rate_windows', ['window'])
  await texts(keyed('options', 'key'), 'value').execute()
  await texts(keyed('meta', 'key'), 'value').execute()
}

async function routing({ tx, withId, index }: Tools): Promise<void> {
  const tokens = texts(withId('tokens'), 'name', 'key_hash', 'key_sealed', 'models', 'subnet')
  const counters = ['accessed_time', 'expired_time', 'remain_quota', 'unlimited_quota', 'used_quota']
  await wholes(tokens, 'user_id', 'status', 'created_time', ...counters).execute()
  await index('tokens', ['key_hash'], { unique: true })
  await index('tokens', ['user_id', 'id'])

  let channels = texts(withId('channels'), 'name', 'key_sealed', 'key_hash', 'base_url', 'other', 'model_mapping')
  channels = texts(channels, 'models', 'group')
  channels = wholes(channels, 'type', 'status', 'priority', 'weight', 'response_time', 'test_time')
  channels = wholes(channels, 'balance_updated_time', 'used_quota', 'created_time')
  await channels.addColumn('balance', 'double precision', whole).execute()
  await index('channels', ['key_hash'])
  await index('channels', ['status'])
  await wholes(texts(tx.schema.createTable('channel_routes'), 'group', 'model'), 'channel_id')
    .addPrimaryKeyConstraint('channel_routes_key', ['group', 'model', 'channel_id'])
    .execute()
  await index('channel_routes', ['channel_id'])

  const redemptions = texts(withId('redemptions'), 'name', 'key')
  const facts = ['status', 'quota', 'created_time', 'redeemed_time', 'redeemed_by']
  await wholes(redemptions, 'user_id', ...facts).execute()
  await index('redemptions', ['key'], { unique: true })
}

async function logs({ tx, withId, index, engine }: Tools): Promise<void> {
  let rows = texts(withId('logs', true), 'content', 'username', 'token_name', 'model_name', 'request_id', 'outcome')
  rows = texts(rows, 'tried', 'detail')
  rows = wholes(rows, 'user_id', 'created_at', 'type', 'quota', 'prompt_tokens', 'completion_tokens', 'channel')
  await wholes(rows, 'duration_ms', 'first_byte_ms', 'is_stream').execute()
  await index('logs', ['user_id', 'created_at', 'id'])
  // Pages are found by day, so one index that also knows the filtered columns serves all other filters.
  await index('logs', ['created_at', 'id', 'type', 'model_name', 'token_name', 'channel'])
  await index('logs', ['type', 'created_at', 'id'], { where: 'type <> 2' })

  const sums = ['day', 'type', 'channel', 'count', 'quota', 'tokens']
  const totals = async (name: string, keys: string[], texted: string[], numbered: string[] = []) => {
    const table = wholes(texts(tx.schema.createTable(name), ...texted), ...numbered, ...sums)
    const keyed = table.addPrimaryKeyConstraint(`${name}_key`, keys)
    await (engine === 'sqlite' ? keyed.modifyEnd(sql`without rowid`) : keyed).execute()
  }
  await totals('log_totals', ['day', 'type', 'model_name', 'channel'], ['model_name'])
  const byToken = ['token_name', 'day', 'type', 'model_name', 'channel']
  await totals('token_log_totals', byToken, ['model_name', 'token_name'])
  const byUser = ['user_id', 'day', 'type', 'model_name', 'token_name', 'channel']
  await totals('user_log_totals', byUser, ['model_name', 'token_name'], ['user_id'])
}

async function money({ withId, keyed, index, engine }: Tools): Promise<void> {
  const entries = texts(withId('ledger_entries', true), 'kind', 'ref')
  await wholes(entries, 'user_id', 'token_id', 'amount', 'token_amount', 'created_at').execute()
  // The one process that serves a SQLite file settles each request once; elsewhere the ref of a request proves it.
  await index('ledger_entries', ['ref'], {
    unique: true,
    ...(engine === 'sqlite' ? { where: "kind <> 'settle'" } : {}),
  })
  const holds = texts(keyed('holds', 'id'), 'node_id')
  await wholes(holds, 'user_id', 'token_id', 'amount', 'token_amount', 'created_at').execute()
  await wholes(keyed('nodes', 'id'), 'lease_until').execute()
}
