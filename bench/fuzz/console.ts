import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { chatAnswer, startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { expectedAt } from '#server/testing/security/access-table.ts'
import { bringPeople, type Person, people } from '#server/testing/security/people.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import type { Endpoint } from '#shared/contract.ts'
import { type OptionKey, options } from '#shared/options.ts'
import { startPostgres } from '../../scripts/lib/postgres.mjs'
import { createDice, type Dice } from './dice.ts'
import { callOf, createHarvest, type Harvest } from './inputs.ts'

const endpoints: Endpoint[] = Object.values(api).flatMap((resource) => Object.values(resource) as Endpoint[])
const slowMs = 20_000

/** Whoever calls them is gone, so they come last. */
const leaving = new Set<Endpoint>([api.account.remove, api.auth.logout])

/** Every option as a fresh installation has it, so that one round does not lock out the next. */
const fresh = Object.fromEntries(
  Object.entries(options).map(([key, { default: value }]) => [key, String(value)]),
) as Record<OptionKey, string>

async function setUp(root: TestClient, upstreamUrl: string, harvests: readonly Harvest[]): Promise<void> {
  for (const name of ['one', 'two', 'three']) {
    const channel = { name, key: 'sk-fuzz-key-of-a-channel', models: 'gpt-4o,gpt-4o-mini', base_url: upstreamUrl }
    await root.call(api.channels.create, channel)
    await root.call(api.tokens.create, { name, unlimited_quota: true })
    await root.call(api.redemptions.create, { name, quota: 500, count: 2 })
  }
  const channels = await root.call(api.channels.list, {})
  for (const harvest of harvests) {
    harvest.take({ base_url: upstreamUrl, model: 'gpt-4o', models: 'gpt-4o', group: 'default', username: 'root' })
    harvest.take(channels)
  }
}

interface Round {
  readonly app: TestApp
  readonly dice: Dice
  /** What each of them was shown. */
  readonly harvests: Record<Person, Harvest>
  readonly statuses: Map<number, number>
  readonly faults: string[]
  /** Calls of which one at least was done. */
  readonly accepted: Set<Endpoint>
}

async function callAs(round: Round, endpoint: Endpoint, person: Person, client: TestClient): Promise<void> {
  const { dice, harvests, statuses, faults } = round
  const harvest = harvests[person]
  const { path, init } = callOf(dice, endpoint, harvest)
  const sent = `${endpoint.method} ${path.slice(0, 300)} ${String(init.body ?? '').slice(0, 500)}`
  const { cookie } = client
  try {
    const answer = await client.fetch(path, { ...init, signal: AbortSignal.timeout(slowMs) })
    const text = await answer.text()
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status === 500) faults.push(`500: ${sent}`)
    if (text.includes('sk-fuzz-key-of-a-channel')) faults.push(`a key was shown: ${sent}`)
    if (!answer.headers.get('content-type')?.startsWith('application/json')) return
    const { success, data } = JSON.parse(text) as { success: boolean; data: unknown }
    if (success) round.accepted.add(endpoint)
    if (success) harvest.take(data)
  } catch (error) {
    faults.push(`${error instanceof Error ? error.message : error}: ${sent}`)
  } finally {
    if (!leaving.has(endpoint)) client.cookie = cookie
  }
}

/** Each call of the contract as each person, once. */
async function playRound(round: Round): Promise<void> {
  const { app, dice } = round
  await setOptions(app, { ...fresh, ModelPagePublic: 'true', AdminSecondFactorRequired: 'true' })
  const clients = await bringPeople(app)
  const order = endpoints.map((endpoint) => ({
    endpoint,
    at: (leaving.has(endpoint) ? 1 : 0) + dice.roll(1000) / 1000,
  }))
  for (const { endpoint } of order.sort((one, other) => one.at - other.at)) {
    // Together, as they would come: two of them may want the same row.
    await Promise.all(people.map((person) => callAs(round, endpoint, person, clients[person])))
    if (await isAnyoneGone(clients)) Object.assign(clients, await bringPeople(app))
  }
}

/** Somebody deleted, banned or logged out another: nobody would be let in any more. */
async function isAnyoneGone(clients: Record<Person, TestClient>): Promise<boolean> {
  const lookers = people.filter((person) => expectedAt('GET /api/user/self', person) === 'in')
  const answers = await Promise.all(lookers.map((person) => clients[person].fetch(api.account.self.path)))
  return answers.some(({ status }) => status === 401 || status === 403)
}

/** Every call of the contract as everybody, with inputs drawn from its own schema: no 500, and no money made. */
export async function fuzzConsole({ seed, rounds, onPostgres }: ConsoleRun): Promise<string[]> {
  const postgres = onPostgres ? await startPostgres() : null
  const upstream = startFakeUpstream(chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 5 }))
  const app = await startTestApp({
    env: { RELEASES_URL: 'http://127.0.0.1:1', UPSTREAM_CONNECT_TIMEOUT: '1', LOG_LEVEL: 'error' },
    ...(postgres ? { databaseUrl: postgres.url } : {}),
  })
  const root = await app.root()
  const harvests = Object.fromEntries(people.map((person) => [person, createHarvest()])) as Round['harvests']
  await setUp(root, upstream.url, Object.values(harvests))
  const statuses = new Map<number, number>()
  const faults: string[] = []
  const accepted = new Set<Endpoint>()
  for (let at = 0; at < rounds; at += 1) {
    await playRound({ app, dice: createDice(seed + at), harvests, statuses, faults, accepted })
  }
  const counts = [...statuses].sort().map(([status, count]) => `${status} × ${count}`)
  console.log(`${rounds} rounds of ${endpoints.length} calls as ${people.join(', ')}: ${counts.join(', ')}`)
  const never = endpoints.filter((endpoint) => !accepted.has(endpoint)).map(({ method, path }) => `${method} ${path}`)
  console.log(`${accepted.size} calls were done at least once; never: ${never.join(', ')}`)
  for (const { kind, id, balance, proven } of await reconcile(app.ctx.database.db)) {
    faults.push(`${kind} ${id} has ${balance} instead of ${proven}`)
  }
  await app.stop()
  await upstream.stop()
  await postgres?.stop()
  return faults
}

interface ConsoleRun {
  readonly seed: number
  readonly rounds: number
  readonly onPostgres: boolean
}
