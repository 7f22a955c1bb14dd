import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { randomHex } from '#server/lib/random.ts'
import { enterAs, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestClient } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { routingApi } from '#shared/api/routing.ts'
import { usageApi } from '#shared/api/usage.ts'
import { heaviestUser, seedUsage } from './seed-usage.ts'
import { createUsage } from './usage-scene.ts'

const limitMs = 200
const samples = Number(process.env.BENCH_SAMPLES ?? 20)
const rows = Number(process.env.BENCH_ROWS ?? 5_000_000)
const days = 90
/** A database of an earlier run, or one that is kept for the next. */
const keptDatabase = process.env.BENCH_DATABASE

/** Fills a database unless it was filled before; returns when its traffic ends. */
async function filled(databaseUrl: string): Promise<number> {
  const database = openDatabase(databaseUrl)
  const began = performance.now()
  const last = () =>
    database.db.selectFrom('logs').select('created_at').orderBy('id', 'desc').limit(1).executeTakeFirst()
  try {
    await migrate(database)
    if (!(await last())) await seedUsage(database, { rows, days, end: Math.floor(Date.now() / 1000) })
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    console.log(`${rows} requests over ${days} days on ${onPostgres ? 'PostgreSQL' : 'SQLite'}, seeded in ${seconds} s`)
    return (await last())?.created_at ?? 0
  } finally {
    await database.close()
  }
}

type Call = (admin: TestClient, user: TestClient, range: { from: number; to: number }) => Promise<unknown>

const all = { scope: 'all' }
const calls: Record<string, Call> = {
  'summary, everyone': (admin, _, range) => admin.call(usageApi.summary, { ...all, ...range }),
  'summary, own': (_, user, range) => user.call(usageApi.summary, range),
  'summary, a model': (admin, _, range) => admin.call(usageApi.summary, { ...all, ...range, model_name: 'model-3' }),
  'summary, a user': (admin, _, range) => admin.call(usageApi.summary, { ...all, ...range, username: 'bench-1' }),
  'series by model, days': (admin, _, range) =>
    admin.call(usageApi.series, { ...all, ...range, by: 'model', step: 'day' }),
  'series by user, days': (admin, _, range) =>
    admin.call(usageApi.series, { ...all, ...range, by: 'user', step: 'day' }),
  'series by model, days of Shanghai': (admin, _, range) =>
    admin.call(usageApi.series, { ...all, ...range, by: 'model', step: 'day', time_zone: 'Asia/Shanghai' }),
  'series by channel, one day in half hours': (admin, _, { to }) =>
    admin.call(usageApi.series, { ...all, from: to - 86_400, to, by: 'channel', step: 'half_hour' }),
  'troubles of channels, one day': (admin, _, { to }) => admin.call(routingApi.troubles, { from: to - 86_400 }),
  'series, own by model': (_, user, range) => user.call(usageApi.series, { ...range, by: 'model', step: 'day' }),
  'series, own, days of Shanghai': (_, user, range) =>
    user.call(usageApi.series, { ...range, step: 'day', time_zone: 'Asia/Shanghai' }),
  'table, own by model': (_, user, range) => user.call(usageApi.table, { ...range, by: 'model' }),
  'table, own by model, by what came from the cache': (_, user, range) =>
    user.call(usageApi.table, { ...range, by: 'model', order: 'cached_tokens', pagesize: 100 }),
  'table, own by token': (_, user, range) => user.call(usageApi.table, { ...range, by: 'token' }),
  'table by model': (admin, _, range) => admin.call(usageApi.table, { ...all, ...range, by: 'model' }),
  'table by user or team': (admin, _, range) => admin.call(usageApi.table, { ...all, ...range, by: 'payer' }),
  'table by user or team, by margin': (admin, _, range) =>
    admin.call(usageApi.table, { ...all, ...range, by: 'payer', order: 'margin' }),
  'table by group': (admin, _, range) => admin.call(usageApi.table, { ...all, ...range, by: 'group' }),
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
  'first byte by model, days': (admin, _, range) =>
    admin.call(usageApi.series, { ...all, ...range, by: 'model', step: 'day', first_byte: 'true' }),
  'first byte by user, days of Shanghai': (admin, _, range) =>
    admin.call(usageApi.series, {
      ...all,
      ...range,
      by: 'user',
      step: 'day',
      time_zone: 'Asia/Shanghai',
      first_byte: 'true',
    }),
  'first byte by token, days of Shanghai': (admin, _, range) =>
    admin.call(usageApi.series, {
      ...all,
      ...range,
      by: 'token',
      step: 'day',
      time_zone: 'Asia/Shanghai',
      first_byte: 'true',
    }),
  'first byte, own by model': (_, user, range) =>
    user.call(usageApi.series, { ...range, by: 'model', step: 'day', first_byte: 'true' }),
  'summary of a team': (admin, _, range) => admin.call(usageApi.summary, { ...range, scope: 'team:7' }),
  'warnings of budgets, own': (_, user) => user.call(usageApi.warnings, {}),
  'warnings of budgets, a team': (admin) => admin.call(usageApi.warnings, { scope: 'team:7' }),
  'statement, own': (_, user) => user.call(usageApi.statement, {}),
  'statement of a team': (admin) => admin.call(usageApi.statement, { scope: 'team:7' }),
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
  const end = await filled(databaseUrl)
  const app = await startTestApp({ databaseUrl })
  try {
    const admin = await signIn(app, { role: 'admin', username: `admin-${randomHex(4)}` })
    const user = await enterAs(app, heaviestUser)
    await createUsage(app, admin, user)
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
        `${name.padEnd(48)} p50 ${ms(shareOf(times, 0.5))}   p95 ${ms(p95)}   processor p95 ${ms(shareOf(work, 0.95))}`,
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
