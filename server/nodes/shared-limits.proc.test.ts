import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { type AnyDatabase, openDatabase } from '#server/db/database.ts'
import { ageLimits } from '#server/testing/age-limits.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type Behaviour, chatAnswer, type FakeUpstream, startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { type SpawnedServer, spawnServer } from '#server/testing/spawned-server.ts'
import { addressOf, startTcpBalancer, type TcpBalancer } from '#server/testing/tcp-balancer.ts'
import { createClient, type TestClient } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'
import type { Limits } from '#shared/limits.ts'

const tokensEach = 15
const answer = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })

/** `npm run bench -- limits` does the same for minutes, by the clock on the wall. */
describe.if(onPostgres)('limits of a token on three nodes behind a balancer', () => {
  let nodes: SpawnedServer[]
  let balancer: TcpBalancer
  let upstream: FakeUpstream
  let behave: Behaviour = answer
  let database: AnyDatabase
  let root: TestClient

  beforeAll(async () => {
    const env = {
      DATABASE_URL: await freshDatabaseUrl(),
      SECRET_KEY: 'one key for all the nodes',
      INITIAL_ROOT_PASSWORD: 'root-password',
      RATE_LIMIT_API: '0',
    }
    nodes = await Promise.all([spawnServer(env), spawnServer(env), spawnServer(env)])
    balancer = await startTcpBalancer(nodes.map(({ url }) => addressOf(url)))
    upstream = startFakeUpstream((request) => behave(request))
    database = openDatabase(env.DATABASE_URL)
    root = createClient(nodes[0]?.url ?? '')
    await root.call(api.auth.login, { username: 'root', password: 'root-password' })
    await root.call(api.options.update, { key: 'ModelRatio', value: '{"gpt-4o": 1}' })
    await root.call(api.users.update, { id: 1, quota: 1_000_000_000 })
    const channel = { name: 'only', type: 1, key: 'k', models: 'gpt-4o', base_url: upstream.url }
    await root.call(api.channels.create, channel)
  })
  afterAll(async () => {
    for (const node of nodes) node.kill('SIGTERM')
    await Promise.all(nodes.map(({ exited }) => exited))
    await balancer.stop()
    await upstream.stop()
    expect(await reconcile(database.db)).toEqual([])
    await database.close()
  })

  const tokenWith = async (limits: Partial<Limits>) => {
    const token = await root.call(api.tokens.create, { name: 'limited', unlimited_quota: true, ...limits })
    return `sk-${token.key}`
  }
  const front = () => `http://127.0.0.1:${balancer.port}`
  const ask = async (key: string, url = front()): Promise<number> => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      keepalive: false,
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
    })
    await response.text()
    return response.status
  }
  /** How many of so many that ask at one moment are let in; all others are refused by the limit. */
  const admittedOf = async (count: number, key: string): Promise<number> => {
    const statuses = await Promise.all(Array.from({ length: count }, () => ask(key)))
    const admitted = statuses.filter((status) => status === 200).length
    expect(admitted + statuses.filter((status) => status === 429).length).toBe(count)
    return admitted
  }

  test('let in so many requests within any minute, wherever it begins', async () => {
    const key = await tokenWith({ rpm: 12 })
    expect(await admittedOf(5, key)).toBe(5)
    await ageLimits(database.db, 30)
    expect(await admittedOf(40, key)).toBe(7)
    await ageLimits(database.db, 31)
    expect(await admittedOf(40, key)).toBe(5)
    await ageLimits(database.db, 10)
    expect(await admittedOf(10, key)).toBe(0)
    await ageLimits(database.db, 20)
    expect(await admittedOf(40, key)).toBe(7)
  }, 30_000)

  test('let in so many tokens within any minute', async () => {
    const key = await tokenWith({ tpm: 10 * tokensEach })
    const first = await admittedOf(40, key)
    expect(first * tokensEach).toBeLessThanOrEqual(10 * tokensEach)
    expect(first).toBeGreaterThan(0)
    // One after the other, so that usage has taken the place of every estimate.
    let more = 0
    while ((await ask(key)) === 200) more += 1
    expect((first + more) * tokensEach).toBeLessThanOrEqual(10 * tokensEach)
    await ageLimits(database.db, 61)
    expect(await ask(key)).toBe(200)
  }, 30_000)

  test('let in so many at one time, and again so many after one node was killed', async () => {
    const key = await tokenWith({ parallel: 6 })
    let running = 0
    let most = 0
    let gate = Promise.withResolvers<void>()
    behave = async (request) => {
      running += 1
      most = Math.max(most, running)
      const gone = Promise.withResolvers<void>()
      request.signal.addEventListener('abort', () => gone.resolve())
      await Promise.race([gate.promise, gone.promise])
      running -= 1
      return answer(request)
    }
    /** As many of all nodes as may be, and more behind the balancer. */
    const fill = async () => {
      const places = nodes.flatMap(({ url }) => Array.from({ length: 6 / nodes.length }, () => url))
      const asked = places.map((url) => ask(key, url).catch(() => 0))
      await eventually(
        () => running,
        (count) => count === 6,
      )
      expect(await admittedOf(20, key)).toBe(0)
      return asked
    }
    const before = await fill()
    const [dead] = nodes.splice(2, 1)
    dead?.kill('SIGKILL')
    await dead?.exited
    await eventually(
      () => running,
      (count) => count < 6,
    )
    gate.resolve()
    await Promise.all(before)
    // As if the time had passed after which a node that gives no sign counts as dead; the living sign again at once.
    await database.db.updateTable('nodes').set({ lease_until: 0 }).execute()
    await eventually(
      async () => (await database.db.selectFrom('holds').select('id').execute()).length,
      (open) => open === 0,
    )
    gate = Promise.withResolvers<void>()
    const after = await fill()
    gate.resolve()
    expect(await Promise.all(after)).toEqual([200, 200, 200, 200, 200, 200])
    expect(most).toBe(6)
    behave = answer
  }, 60_000)
})
