import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import type { AnyDatabase } from '#server/db/database.ts'
import { startingPace } from '#server/db/usage/fold.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { randomHex } from '#server/lib/random.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { usageApi } from '#shared/api/usage.ts'

const limitMs = 200
const samples = Number(process.env.BENCH_SAMPLES ?? 20)
const rows = Number(process.env.BENCH_ROWS ?? 5_000_000)
const days = 90
/** A database of an earlier run, or one that is kept for the next. */
const keptDatabase = process.env.BENCH_DATABASE
const rowsPerInsert = 100_000

/**
 * Requests of 500 users with a token or two each: some spend most. A user works in sessions, with one model for a while,
 * so that the requests of a quarter hour are alike, as they are in real life.
 */
async function seed({ db }: AnyDatabase, end: number): Promise<void> {
  const start = end - days * 86_400
  await sql`
    insert into users (username, display_name, "group", role, status)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
    select 'bench-' || i, 'Bench', 'default', 1, 1 from n`.execute(db)
  for (let from = 0; from < rows; from += rowsPerInsert) {
    const to = Math.min(from + rowsPerInsert, rows)
    await sql`
      insert into logs (user_id, username, created_at, type, token_id, token_name, team_id, "group", model_name, channel,
        quota, prompt_tokens, cached_tokens, completion_tokens, cost, duration_ms, first_byte_ms, outcome)
      with recursive n(i) as (select cast(${sql.lit(from + 1)} as bigint) union all select i + 1 from n where i < ${sql.lit(to)}),
      t as (select i, ${sql.lit(start)} + i * ${sql.lit(days * 86_400)} / ${sql.lit(rows)} as at,
        (i * 2654435761) % 4294967296 as h from n),
      w as (select *, 3 + (h % 97) * (h / 97 % 97) * 500 / 9409 as u from t),
      s as (select *, (u * 40503 + at / 7200 * 69069) % 65536 as session from w)
      select u, 'bench-' || u, at, 2, u * 2 + session / 64 % 2, 'token-' || (u * 2 + session / 64 % 2),
        case when u % 7 = 0 then u % 20 else 0 end, case when u % 3 = 0 then 'vip' else 'default' end,
        'model-' || (session % 24), 1 + (session + h / 31 % 2) % 12,
        h / 31 % 10000, h / 37 % 4000, h / 43 % 2000, h / 41 % 1000, h / 47 % 8000, h / 53 % 60000, 1 + h / 59 % 4000,
        case when h / 61 % 100 < 2 then 'failed' else 'done' end
      from s`.execute(db)
  }
  if (onPostgres) await sql`analyze`.execute(db)
}

/** When the traffic ends: that of a kept database, or of one that is filled now. */
async function filled({ ctx }: TestApp): Promise<number> {
  const { db } = ctx.database
  const last = () => db.selectFrom('logs').select('created_at').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const began = performance.now()
  if (!(await last())) await seed(ctx.database, Math.floor(Date.now() / 1000))
  const seeded = performance.now()
  await foldLogs(ctx, startingPace)
  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(0)} s`
  if (onPostgres) await sql`analyze`.execute(db)
  console.log(
    `${rows} requests over ${days} days on ${onPostgres ? 'PostgreSQL' : 'SQLite'}: seeded in ${seconds(began, seeded)}, folded in ${seconds(seeded, performance.now())}`,
  )
  return (await last())?.created_at ?? 0
}

/** The user who asked for most is another from now on. */
async function takeOver({ ctx }: TestApp, userId: number): Promise<void> {
  const { db } = ctx.database
  const { rows } = await sql<{ user_id: number }>`
    select user_id from usage_people group by user_id order by sum(requests) desc limit 1`.execute(db)
  for (const table of ['usage_details', 'usage_people']) {
    await sql`update ${sql.table(table)} set user_id = ${userId} where user_id = ${rows[0]?.user_id}`.execute(db)
  }
}

type Call = (admin: SignedIn, user: SignedIn, range: { from: number; to: number }) => Promise<unknown>

const all = { scope: 'all' }
const calls: Record<string, Call> = {
  'summary, everyone': (admin, _, range) => admin.call(usageApi.summary, { ...all, ...range }),
  'summary, own': (_, user, range) => user.call(usageApi.summary, range),
  'summary, a model': (admin, _, range) => admin.call(usageApi.summary, { ...all, ...range, model_name: 'model-3' }),
  'summary, a user': (admin, _, range) => admin.call(usageApi.summary, { ...all, ...range, username: 'bench-3' }),
  'series by model, days': (admin, _, range) =>
    admin.call(usageApi.series, { ...all, ...range, by: 'model', step: 'day' }),
  'series by user, days': (admin, _, range) =>
    admin.call(usageApi.series, { ...all, ...range, by: 'user', step: 'day' }),
  'series by model, days of Shanghai': (admin, _, range) =>
    admin.call(usageApi.series, { ...all, ...range, by: 'model', step: 'day', time_zone: 'Asia/Shanghai' }),
  'series by channel, one day in half hours': (admin, _, { to }) =>
    admin.call(usageApi.series, { ...all, from: to - 86_400, to, by: 'channel', step: 'half_hour' }),
  'series, own by model': (_, user, range) => user.call(usageApi.series, { ...range, by: 'model', step: 'day' }),
  'table by user': (admin, _, range) => admin.call(usageApi.table, { ...all, ...range, by: 'user' }),
  'table by token': (admin, _, range) => admin.call(usageApi.table, { ...all, ...range, by: 'token' }),
  'table by channel': (admin, _, range) =>
    admin.call(usageApi.table, { ...all, ...range, by: 'channel', pagesize: 50 }),
  'table by user, a model': (admin, _, range) =>
    admin.call(usageApi.table, { ...all, ...range, by: 'user', model_name: 'model-3' }),
  'table by model, all but a group': (admin, _, range) =>
    admin.call(usageApi.table, { ...all, ...range, by: 'model', group: '!vip' }),
  'table by user, a channel': (admin, _, range) =>
    admin.call(usageApi.table, { ...all, ...range, by: 'user', channel: '3' }),
  'table by user, a group': (admin, _, range) =>
    admin.call(usageApi.table, { ...all, ...range, by: 'user', group: 'vip' }),
  'table by user, all but a model': (admin, _, range) =>
    admin.call(usageApi.table, { ...all, ...range, by: 'user', model_name: '!model-3' }),
  'table by model, a token name': (admin, _, range) =>
    admin.call(usageApi.table, { ...all, ...range, by: 'model', token_name: 'token-77' }),
  'series by token, days of Shanghai': (admin, _, range) =>
    admin.call(usageApi.series, { ...all, ...range, by: 'token', step: 'day', time_zone: 'Asia/Shanghai' }),
  'series by team, weeks of Kathmandu': (admin, _, range) =>
    admin.call(usageApi.series, { ...all, ...range, by: 'team', step: 'week', time_zone: 'Asia/Kathmandu' }),
  'series by user, a week in half hours': (admin, _, { to }) =>
    admin.call(usageApi.series, { ...all, from: to - 7 * 86_400, to, by: 'user', step: 'half_hour' }),
  'summary of a team': (admin, _, range) => admin.call(usageApi.summary, { ...range, scope: 'team:7' }),
  'statement, own': (_, user) => user.call(usageApi.statement, {}),
}

function shareOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/**
 * The usage calls over millions of requests, through the real app. On a busy machine the time a call takes is that of its neighbours; the
 * processor's is its own, with SQLite all of it.
 */
export async function benchUsage(): Promise<void> {
  const databaseUrl = keptDatabase ?? (await freshDatabaseUrl())
  const app = await startTestApp({ databaseUrl })
  try {
    const end = await filled(app)
    const admin = await signIn(app, { role: 'admin', username: `admin-${randomHex(4)}` })
    const user = await signIn(app, { username: `user-${randomHex(4)}` })
    await takeOver(app, user.userId)
    const range = { from: end - days * 86_400 + 1234, to: end }
    const over: string[] = []
    for (const [name, call] of Object.entries(calls)) {
      const times: number[] = []
      const work: number[] = []
      for (let at = 0; at < samples; at++) {
        const began = performance.now()
        const used = process.cpuUsage()
        await call(admin, user, range)
        const { user: own, system } = process.cpuUsage(used)
        times.push(performance.now() - began)
        work.push((own + system) / 1000)
      }
      const p95 = shareOf(times, 0.95)
      const ms = (value: number) => `${value.toFixed(1).padStart(7)} ms`
      console.log(
        `${name.padEnd(44)} p50 ${ms(shareOf(times, 0.5))}   p95 ${ms(p95)}   processor p95 ${ms(shareOf(work, 0.95))}`,
      )
      if (p95 > limitMs) over.push(name)
    }
    console.log(
      over.length === 0 ? `All within ${limitMs} ms at p95.` : `Over ${limitMs} ms at p95: ${over.join('; ')}`,
    )
    if (over.length > 0) process.exitCode = 1
  } finally {
    await app.stop()
    if (!onPostgres && keptDatabase === undefined)
      await rm(dirname(databaseUrl.slice('sqlite:'.length)), { recursive: true, force: true })
  }
}
