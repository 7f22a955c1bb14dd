import { sql } from 'kysely'
import type { AnyDatabase, Db } from '#server/db/database.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { withoutLogIndexes } from './seed-logs.ts'

/** The one who asked for most; the ids of the 500 users begin with it. */
export const heaviestUser = 1003
const userCount = 500
const daySeconds = 86_400
const rowsPerInsert = 100_000
/** Nobody is served meanwhile: large steps share most. */
const pace = { leastRows: 200_000, mostRows: 200_000, stepMs: 60_000 }

export interface UsageSeed {
  readonly rows: number
  readonly days: number
  /** Epoch seconds of the last request. */
  readonly end: number
}

async function seedUsers(db: Db): Promise<void> {
  await sql`
    insert into users (id, username, display_name, "group", role, status, request_count)
    with recursive n(i) as (select cast(0 as bigint) union all select i + 1 from n where i < ${sql.lit(userCount)})
    select i + ${sql.lit(heaviestUser)}, 'bench-' || i, 'Bench', 'default', 1, 1, 1 from n`.execute(db)
}

/**
 * Requests of users with a token or two each: some spend most. A user works in sessions, with one model for a while, so that
 * the requests of a quarter hour are alike, as they are in real life. Each is paid by an entry of the ledger.
 */
async function seedRequests(db: Db, { rows, days, end }: UsageSeed, from: number): Promise<void> {
  const to = Math.min(from + rowsPerInsert, rows)
  const seconds = sql.lit(days * daySeconds)
  await sql`
    insert into logs (id, user_id, username, created_at, type, token_id, token_name, team_id, "group", model_name, channel,
      quota, prompt_tokens, cached_tokens, completion_tokens, cost, duration_ms, first_byte_ms, outcome)
    with recursive n(i) as (select cast(${sql.lit(from + 1)} as bigint) union all select i + 1 from n where i < ${sql.lit(to)}),
    t as (select i, ${sql.lit(end)} - ${seconds} + i * ${seconds} / ${sql.lit(rows)} as at,
      (i * 2654435761) % 4294967296 as h from n),
    w as (select *, (h % 97) * (h / 97 % 97) * ${sql.lit(userCount)} / 9409 as u from t),
    s as (select *, (u * 40503 + at / 7200 * 69069) % 65536 as session from w)
    select i, u + ${sql.lit(heaviestUser)}, 'bench-' || u, at, 2, u * 2 + session / 64 % 2 + 1, 'token-' || (u * 2 + session / 64 % 2),
      case when u % 7 = 0 then u % 20 else 0 end, case when u % 3 = 0 then 'vip' else 'default' end,
      'model-' || (session % 24), 1 + (session + h / 31 % 2) % 12,
      h / 31 % 10000, h / 37 % 4000, h / 43 % 2000, h / 41 % 1000, h / 47 % 8000, h / 53 % 60000, 1 + h / 59 % 4000,
      case when h / 61 % 100 < 2 then 'failed' else 'done' end
    from s`.execute(db)
  await sql`
    insert into ledger_entries (user_id, token_id, team_id, kind, amount, team_amount, token_amount, ref, created_at, admitted_at)
    select user_id, token_id, team_id, 'settle', case when team_id = 0 then -quota else 0 end,
      case when team_id = 0 then 0 else -quota end, 0, 'bench-' || id, created_at, created_at
    from logs where id > ${sql.lit(from)} and id <= ${sql.lit(to)}`.execute(db)
}

/** Numbers that rows written later take up from. */
async function numberOn({ engine, db }: AnyDatabase, rows: number): Promise<void> {
  if (engine === 'postgres')
    await sql`select setval(pg_get_serial_sequence('logs', 'id'), ${sql.lit(rows)})`.execute(db)
}

/** Throws unless roll-ups and rows have the same sums. */
async function proveSums(db: Db): Promise<void> {
  const sums = sql`count(*) as requests, sum(quota) as quota, sum(cost) as cost, sum(completion_tokens) as tokens`
  const kept = sql`sum(requests) as requests, sum(quota) as quota, sum(cost) as cost, sum(completion_tokens) as tokens`
  const [wanted] = (await sql`select ${sums} from logs where type = 2`.execute(db)).rows
  for (const table of ['usage_details', 'usage_routes', 'usage_totals', 'usage_people']) {
    const { rows } = await sql`select span, ${kept} from ${sql.table(table)} group by span`.execute(db)
    for (const { span, ...found } of rows as Record<string, unknown>[]) {
      if (!Bun.deepEquals(found, wanted)) throw new Error(`${table} of ${span} s does not hold the sums of the rows`)
    }
  }
}

/** Fills an empty database with requests, and the roll-ups as the product does. */
export async function seedUsage(database: AnyDatabase, seed: UsageSeed): Promise<void> {
  const { db } = database
  await seedUsers(db)
  await withoutLogIndexes(database, async () => {
    for (let from = 0; from < seed.rows; from += rowsPerInsert) await seedRequests(db, seed, from)
  })
  await numberOn(database, seed.rows)
  if (database.engine === 'postgres') await sql`analyze`.execute(db)
  await foldLogs({ database }, pace)
  if (database.engine === 'postgres') await sql`vacuum analyze`.execute(db)
  await proveSums(db)
}
