import { type ColumnDefinitionBuilder, type CreateTableBuilder, sql } from 'kysely'
import type { Engine, Tx } from '#server/db/database.ts'
import { periodAt } from '#server/lib/time/calendar.ts'

const whole = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

type Table = CreateTableBuilder<string, string>

const wholes = (table: Table, names: readonly string[]): Table =>
  names.reduce((built, name) => built.addColumn(name, 'bigint', whole), table)
const texts = (table: Table, names: readonly string[]): Table =>
  names.reduce((built, name) => built.addColumn(name, 'text', (column) => column.notNull().defaultTo('')), table)

export const name = '0004-purses'

const limits = ['rpm', 'tpm', 'parallel']
const budgetNumbers = ['budget', 'budget_used', 'budget_held', 'budget_from', 'budget_to']

const month = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('month')

export async function up(tx: Tx, engine: Engine): Promise<void> {
  const withId = (table: string): Table =>
    engine === 'sqlite'
      ? tx.schema.createTable(table).addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      : tx.schema
          .createTable(table)
          .addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity())
  const add = async (table: string, names: readonly string[]) => {
    for (const name of names) await tx.schema.alterTable(table).addColumn(name, 'bigint', whole).execute()
  }
  const addText = async (table: string, names: readonly string[]) => {
    for (const name of names)
      await tx.schema
        .alterTable(table)
        .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
        .execute()
  }
  const addBudget = async (table: string) => {
    await add(table, budgetNumbers)
    await tx.schema.alterTable(table).addColumn('budget_period', 'text', month).execute()
  }

  await addBudget('users')
  await addBudget('tokens')
  await add('tokens', ['team_id', ...limits, 'previous_key_expires'])
  await addText('tokens', ['group', 'previous_key_hash'])
  await add('channels', limits)
  await add('ledger_entries', ['team_id', 'team_amount', 'admitted_at'])
  await add('holds', ['team_id', 'member_id', 'team_amount', 'budget_amount', 'channel_id'])

  const budgeted = (table: Table): Table =>
    wholes(table, budgetNumbers).addColumn('budget_period', 'text', (column) => month(column))
  const teams = texts(withId('teams'), ['name'])
  await budgeted(wholes(teams, ['quota', 'used_quota', 'request_count', 'created_time'])).execute()
  const members = texts(withId('team_members'), ['role'])
  await budgeted(wholes(members, ['team_id', 'user_id', 'used_quota', 'joined_time'])).execute()
  const invites = texts(withId('team_invites'), ['code_hash', 'role'])
  await wholes(invites, ['team_id', 'created_by', 'created_time', 'expires_at']).execute()
  await tx.schema
    .createTable('limit_windows')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('state', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('updated_at', 'bigint', whole)
    .execute()

  await sql`create unique index team_members_team_id_user_id on team_members (team_id, user_id)`.execute(tx)
  await sql`create index team_members_user_id on team_members (user_id)`.execute(tx)
  await sql`create unique index team_invites_code_hash on team_invites (code_hash)`.execute(tx)
  await sql`create index team_invites_team_id on team_invites (team_id)`.execute(tx)
  await sql`create index tokens_team_id on tokens (team_id) where team_id > 0`.execute(tx)
  await sql`create index tokens_previous_key_hash on tokens (previous_key_hash) where previous_key_hash <> ''`.execute(
    tx,
  )
  await sql`create index holds_token_id on holds (token_id)`.execute(tx)
  await sql`create index holds_user_id on holds (user_id)`.execute(tx)
  await sql`create index holds_team_id on holds (team_id) where team_id > 0`.execute(tx)
  await sql`create index holds_channel_id on holds (channel_id) where channel_id > 0`.execute(tx)
  await countThisMonth(tx)
}

/** What was spent before counts in the budgets of the month that runs. */
async function countThisMonth(tx: Tx): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const { from, to } = periodAt('UTC', 'month', now)
  const oldest = Math.min(from, now - 8 * 86_400)
  await sql`update ledger_entries set admitted_at = created_at where kind = 'settle' and created_at >= ${oldest}`.execute(
    tx,
  )
  await sql`create index ledger_entries_user_id_admitted_at on ledger_entries (user_id, admitted_at) where admitted_at > 0`.execute(
    tx,
  )
  await sql`create index ledger_entries_team_id_admitted_at on ledger_entries (team_id, admitted_at) where team_id > 0`.execute(
    tx,
  )
  for (const [table, owner] of [
    ['users', 'user_id'],
    ['tokens', 'token_id'],
  ] as const) {
    await sql`update ${sql.table(table)} set budget_from = ${from}, budget_to = ${to}, budget_used = spent.amount
      from (select ${sql.ref(owner)} as owner, cast(-sum(amount) as bigint) as amount from ledger_entries
        where kind = 'settle' and admitted_at >= ${from} group by ${sql.ref(owner)}) as spent
      where ${sql.table(table)}.id = spent.owner`.execute(tx)
  }
}
