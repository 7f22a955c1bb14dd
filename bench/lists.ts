import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { logsApi } from '#shared/api/logs.ts'
import { usersApi } from '#shared/api/users.ts'
import type { ArgsOf } from '#shared/contract.ts'
import { type Seed, seedDatabase } from './seed-logs.ts'

const limitMs = 300
const samples = 40
const rows = Number(process.env.BENCH_ROWS ?? 5_000_000)
const users = Number(process.env.BENCH_USERS ?? 100_000)

type Filter = ArgsOf<typeof logsApi.list>
type Call = (client: SignedIn, seed: Seed) => Promise<unknown>

const upTo = (most: number): number => Math.floor(Math.random() * most)

/** Filters by name; each is tried on its first page, on a page anywhere, and for its totals. */
const filters: Record<string, (seed: Seed) => Filter> = {
  none: () => ({}),
  'the console at first': () => ({ end_timestamp: Math.floor(Date.now() / 1000) + 3600 }),
  consumption: () => ({ type: 2 }),
  'what administrators did': () => ({ type: 3 }),
  'the user with a fifth of all rows': () => ({ username: 'user-1' }),
  'an ordinary user': (seed) => ({ username: `user-${1 + upTo(seed.users)}` }),
  'a token name of a third of all rows': () => ({ token_name: 'default' }),
  'a rare token name': (seed) => ({ token_name: `token-${2 + upTo(seed.users)}` }),
  'the model of half of all rows': () => ({ model_name: 'model-0' }),
  'an ordinary model': (seed) => ({ model_name: `model-${1 + upTo(seed.models - 1)}` }),
  'a channel': (seed) => ({ channel: 1 + upTo(seed.channels) }),
  'model and channel': (seed) => ({ model_name: 'model-0', channel: 1 + upTo(seed.channels) }),
  'token, model and channel': (seed) => ({
    token_name: 'default',
    model_name: `model-${upTo(seed.models)}`,
    channel: 1 + upTo(seed.channels),
  }),
  'heavy user and model': (seed) => ({ username: 'user-1', model_name: `model-${upTo(seed.models)}` }),
  'any stretch of time': (seed) => stretch(seed),
  'any stretch of time, model and type': (seed) => ({ ...stretch(seed), type: 2, model_name: 'model-0' }),
}

function stretch(seed: Seed): Filter {
  const start = seed.start + upTo(seed.days * 86_400)
  return { start_timestamp: start, end_timestamp: start + upTo(seed.days * 43_200) }
}

const userLists: Record<string, Call> = {
  'users: any page': (client, seed) => client.call(usersApi.list, { page: 1 + upTo(seed.users / 10) }),
  'users: any page by quota': (client, seed) =>
    client.call(usersApi.list, { page: 1 + upTo(seed.users / 10), order: 'quota' }),
  'users: search': (client) => client.call(usersApi.search, { keyword: String(upTo(10_000)) }),
}

function logCalls(): Record<string, Call> {
  const calls: Record<string, Call> = {}
  for (const [name, filter] of Object.entries(filters)) {
    calls[`logs: ${name}, first page`] = (client, seed) => client.call(logsApi.list, filter(seed))
    calls[`logs: ${name}, any page`] = async (client, seed) => {
      const asked = filter(seed)
      const { total } = await client.call(logsApi.list, asked)
      return timed(() => client.call(logsApi.list, { ...asked, page: 1 + upTo(Math.ceil(total / 10)) }))
    }
    calls[`logs: ${name}, totals`] = (client, seed) => client.call(logsApi.stat, filter(seed))
  }
  return calls
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function measure(name: string, call: Call, client: SignedIn, seed: Seed): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < samples; at++) {
    let own: unknown
    const whole = await timed(async () => {
      own = await call(client, seed)
    })
    times.push(typeof own === 'number' ? own : whole)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  console.log(`${name.padEnd(64)} p50 ${at(0.5).toFixed(1).padStart(7)} ms   p95 ${at(0.95).toFixed(1).padStart(7)} ms`)
  return at(0.95)
}

/** Pages, filters and totals over millions of log rows, through the real app. */
export async function benchLists(): Promise<void> {
  const databaseUrl = await freshDatabaseUrl()
  const app = await startTestApp({ databaseUrl })
  try {
    let seed: Seed | undefined
    const seeding = await timed(async () => {
      seed = await seedDatabase(app.ctx.database, { rows, users })
    })
    const folding = await timed(() => foldLogs(app.ctx))
    if (!seed) return
    const engine = onPostgres ? 'PostgreSQL' : 'SQLite'
    const seconds = (ms: number) => `${(ms / 1000).toFixed(0)} s`
    console.log(
      `${rows} log rows and ${users} users on ${engine}: seeded in ${seconds(seeding)}, folded in ${seconds(folding)}`,
    )
    const admin = await signIn(app, { role: 'admin' })
    const over: string[] = []
    for (const [name, call] of Object.entries({ ...logCalls(), ...userLists })) {
      if ((await measure(name, call, admin, seed)) > limitMs) over.push(name)
    }
    console.log(
      over.length === 0 ? `All within ${limitMs} ms at p95.` : `Over ${limitMs} ms at p95: ${over.join('; ')}`,
    )
    if (over.length > 0) process.exitCode = 1
  } finally {
    await app.stop()
    if (!onPostgres) await rm(dirname(databaseUrl.slice('sqlite:'.length)), { recursive: true, force: true })
  }
}
