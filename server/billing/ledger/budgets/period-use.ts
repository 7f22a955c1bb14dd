import { type RawBuilder, sql } from 'kysely'
import type { AccountKind } from '#server/billing/ledger/account.ts'
import { accountTables } from '#server/billing/ledger/account-tables.ts'
import { type Db, isSqlite } from '#server/db/database.ts'
import { othersTurn } from '#server/lib/others-turn.ts'
import type { Period } from '#server/lib/time/calendar.ts'
import { clockSlack, owned } from './budget-sums.ts'

/** Entries looked at in one step, so that nobody waits for the whole. */
const rowsPerStep = 4000

/** What was used in a period by the entries up to a number. */
export interface PeriodUse {
  readonly used: number
  readonly upTo: number
}

/** Whose entries come one after the other, because each is written while this row is locked; and by what they are found. */
interface Writer {
  readonly table: 'users' | 'teams'
  readonly id: number
}

export async function writerOf(db: Db, kind: AccountKind, id: number): Promise<Writer | null> {
  if (kind === 'user') return { table: 'users', id }
  if (kind === 'team') return { table: 'teams', id }
  if (kind === 'token') {
    const token = await db.selectFrom('tokens').select('user_id').where('id', '=', id).executeTakeFirst()
    return token ? { table: 'users', id: token.user_id } : null
  }
  // Several people may spend from one budget, all of them from the wallet of the team.
  const member = await db.selectFrom('team_members').select('team_id').where('id', '=', id).executeTakeFirst()
  return member ? { table: 'teams', id: member.team_id } : null
}

/** Every entry of this writer up to this number has been committed, and none will be added below it. */
async function lastEntry(db: Db, { table, id }: Writer): Promise<number> {
  const lock = isSqlite(db) ? sql`` : sql`for update`
  const { rows } = await sql<{ last: number }>`
    with locked as ${isSqlite(db) ? sql`` : sql`materialized`} (select id from ${sql.table(table)} where id = ${id} ${lock})
    select cast(coalesce((select max(id) from ledger_entries), 0) as bigint) as last from locked`.execute(db)
  return rows[0]?.last ?? 0
}

const scopes: Readonly<Record<AccountKind, RawBuilder<unknown>>> = {
  user: sql`entry.user_id = users.id`,
  token: sql`entry.user_id = tokens.user_id`,
  team: sql`entry.team_id = teams.id and entry.team_id > 0`,
  member: sql`entry.team_id = team_members.team_id and entry.team_id > 0`,
}

/** Sums the entries of a period in steps, without a lock. */
export async function readPeriodUse(
  db: Db,
  kind: AccountKind,
  { id, writer, period }: { readonly id: number; readonly writer: Writer; readonly period: Period },
): Promise<PeriodUse> {
  const upTo = await lastEntry(db, writer)
  const table = sql.table(accountTables[kind].table)
  const row = sql`${sql.ref(`${accountTables[kind].table}.id`)} = ${id}`
  let used = 0
  for (let from: number | null = period.from - clockSlack; from !== null; ) {
    const start: number = from
    const next = await sql<{ at: number }>`select entry.created_at as at from ${table}, ledger_entries entry
      where ${row} and ${scopes[kind]} and entry.created_at >= ${start}
      order by entry.created_at limit 1 offset ${rowsPerStep}`.execute(db)
    const last: number | undefined = next.rows[0]?.at
    const end: number | null = last === undefined ? null : Math.max(last, start + 1)
    const before = end === null ? sql`` : sql`and entry.created_at < ${end}`
    const { rows } = await sql<{ used: number }>`
      select cast(coalesce(-sum(entry.amount + entry.team_amount), 0) as bigint) as used from ${table}, ledger_entries entry
      where ${row} and ${owned[kind].entries} and entry.created_at >= ${start} ${before}
        and entry.admitted_at >= ${period.from} and entry.admitted_at < ${period.to} and entry.id <= ${upTo}`.execute(
      db,
    )
    used += rows[0]?.used ?? 0
    from = end
    await othersTurn()
  }
  return { used, upTo }
}
