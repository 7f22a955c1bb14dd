import { type RawBuilder, sql } from 'kysely'
import type { AnyDatabase, Db } from '#server/db/database.ts'

/** What the seeded rows look like, so that queries can ask for what is there. */
export interface Seed {
  readonly rows: number
  readonly users: number
  readonly models: number
  readonly channels: number
  readonly days: number
  /** Epoch seconds of the first and the last row. */
  readonly start: number
  readonly end: number
}

const rowsPerInsert = 100_000

async function logIndexes({ engine, db }: AnyDatabase): Promise<{ name: string; sql: string }[]> {
  const listed =
    engine === 'sqlite'
      ? sql<{
          name: string
          sql: string
        }>`select name, sql from sqlite_master where type = 'index' and tbl_name = 'logs'`
      : sql<{ name: string; sql: string }>`
          select indexname as name, indexdef as sql from pg_indexes where tablename = 'logs' and indexname <> 'logs_pkey'`
  const { rows } = await listed.execute(db)
  return rows.filter((index) => index.sql).map((index) => ({ ...index, sql: index.sql.replace(' ON ONLY ', ' ON ') }))
}

/** Numbers from `from` to `to`, each with a scrambled companion `h`. */
const numbers = (from: number, to: number): RawBuilder<unknown> => sql`
  with recursive n(i) as (select ${sql.lit(from)} union all select i + 1 from n where i < ${sql.lit(to)}),
  s as (select i, (i * 2654435761) % 4294967296 as h from n)`

async function seedUsers(db: Db, count: number): Promise<void> {
  await sql`
    insert into users (username, display_name, email, "group", role, status, quota, used_quota, request_count)
    ${numbers(1, count)}
    select 'user-' || i, 'User ' || i, 'user-' || i || '@example.com', 'default', 1, 1, h % 1000000, h / 7 % 1000000, h / 11 % 1000
    from s`.execute(db)
}

/**
 * A fifth of the rows belong to one user, a third to tokens named alike, half to one model; 3 in 100 are no consumption.
 * Times rise with the id, with some disorder.
 */
async function seedLogs(db: Db, seed: Seed, from: number, to: number): Promise<void> {
  const lit = (value: number) => sql.lit(value)
  const consumption = sql`h / 3 % 100 >= 3`
  const span = seed.end - seed.start - 60
  await sql`
    insert into logs (user_id, username, created_at, type, token_name, model_name, channel, quota, prompt_tokens,
      completion_tokens, content, request_id, duration_ms, outcome, detail)
    ${numbers(from, to)}, u as (select i, h, case when h % 5 = 0 then 2 else 2 + h / 5 % ${lit(seed.users)} end as u from s)
    select u, 'user-' || (u - 1), ${lit(seed.start)} + i * ${lit(span)} / ${lit(seed.rows)} + h % 60,
      case when ${consumption} then 2 else 1 + 2 * (h / 17 % 2) end,
      case when not (${consumption}) then '' when h / 13 % 3 = 0 then 'default' else 'token-' || u end,
      case when not (${consumption}) then '' when h / 19 % 2 = 0 then 'model-0' else 'model-' || (h / 23 % ${lit(seed.models)}) end,
      case when ${consumption} then 1 + h / 29 % ${lit(seed.channels)} else 0 end,
      h / 31 % 10000, h / 37 % 4000, h / 41 % 1000, 'model ratio 2.50, group ratio 1.00', 'request-' || i, h % 9000, 'done', ''
    from u`.execute(db)
}

/** Rows are written many times faster while there are no indexes to keep; they are made again at the end. */
export async function withoutLogIndexes(database: AnyDatabase, write: () => Promise<void>): Promise<void> {
  const indexes = await logIndexes(database)
  for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(database.db)
  await write()
  for (const index of indexes) await sql.raw(index.sql).execute(database.db)
}

export async function seedDatabase(database: AnyDatabase, size: { rows: number; users: number }): Promise<Seed> {
  const end = Math.floor(Date.now() / 1000)
  const days = 60
  const seed = { ...size, models: 40, channels: 30, days, start: end - days * 86_400, end }
  await seedUsers(database.db, size.users)
  await withoutLogIndexes(database, async () => {
    for (let at = 0; at < size.rows; at += rowsPerInsert) {
      await seedLogs(database.db, seed, at + 1, Math.min(at + rowsPerInsert, size.rows))
    }
  })
  if (database.engine === 'postgres') await sql`analyze`.execute(database.db)
  return seed
}
