import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { type AnyDatabase, openDatabase } from '#server/db/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type Behaviour, chatAnswer, type FakeUpstream, startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { type SpawnedServer, spawnServer } from '#server/testing/spawned-server.ts'
import { addressOf, startTcpBalancer, type TcpBalancer } from '#server/testing/tcp-balancer.ts'
import { createClient, type TestClient } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

const failuresMax = 9
const charge = 45
const answer = chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 })

describe.if(onPostgres)('three nodes on one database behind a plain TCP balancer', () => {
  let nodes: SpawnedServer[]
  let balancer: TcpBalancer
  let upstream: FakeUpstream
  /** What the upstream does now. */
  let behave: Behaviour = answer
  let database: AnyDatabase
  /** Logged in as root on the first node. */
  let root: TestClient
  let front: string

  beforeAll(async () => {
    const env = {
      DATABASE_URL: await freshDatabaseUrl(),
      SECRET_KEY: 'one key for all the nodes',
      INITIAL_ROOT_PASSWORD: 'root-password',
      RATE_LIMIT_API: '0',
      RATE_LIMIT_CRITICAL: `${failuresMax}/1200`,
      LOG_LEVEL: 'info',
    }
    nodes = await Promise.all([spawnServer(env), spawnServer(env), spawnServer(env)])
    balancer = await startTcpBalancer(nodes.map(({ url }) => addressOf(url)))
    front = `http://127.0.0.1:${balancer.port}`
    upstream = startFakeUpstream((request) => behave(request))
    database = openDatabase(env.DATABASE_URL)
    root = createClient(nodes[0]?.url ?? '')
    await root.call(api.auth.login, { username: 'root', password: 'root-password' })
    await root.call(api.options.update, { key: 'ModelRatio', value: '{"gpt-4o": 1}' })
    await root.call(api.options.update, { key: 'CompletionRatio', value: '{"gpt-4o": 4}' })
    await root.call(api.channels.create, {
      name: 'only',
      type: 1,
      key: 'k',
      models: 'gpt-4o',
      base_url: upstream.url,
    })
  })
  afterAll(async () => {
    for (const node of nodes) node.kill('SIGTERM')
    await Promise.all(nodes.map(({ exited }) => exited))
    await balancer.stop()
    await upstream.stop()
    await database.close()
  })

  const others = () => nodes.slice(1)
  const person = async (username: string, quota: number) => {
    await root.call(api.users.create, { username, password: 'a-password' })
    const { id } = await database.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    await root.call(api.users.update, { id, quota })
    const client = createClient(nodes[0]?.url ?? '')
    await client.call(api.auth.login, { username, password: 'a-password' })
    const token = await client.call(api.tokens.create, { name: 'test', unlimited_quota: true })
    return { id, client, tokenId: token.id, key: `sk-${token.key}` }
  }
  const chat = (url: string, key: string): Promise<Response> =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      keepalive: false,
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
    })
  const everywhere = (status: number, key: string) =>
    Promise.all(
      others().map(({ url }) =>
        eventually(
          async () => (await chat(url, key)).status,
          (got) => got === status,
          2000,
        ),
      ),
    )
  const quotaOf = async (id: number) =>
    (await database.db.selectFrom('users').select('quota').where('id', '=', id).executeTakeFirstOrThrow()).quota

  test('an option changed on one is in force on the others at once', async () => {
    await root.call(api.options.update, { key: 'SystemName', value: 'Three of us' })
    for (const { url } of others()) {
      const name = async () => (await createClient(url).call(api.status.status, {})).system_name
      await eventually(name, (got) => got === 'Three of us', 2000)
    }
  })

  test('a channel, a token and a ban changed on one are followed by the others at once', async () => {
    const bea = await person('bea', 10_000)
    await everywhere(200, bea.key)
    const { id } = await database.db.selectFrom('channels').select('id').executeTakeFirstOrThrow()
    await root.call(api.channels.update, { id, status: 2 })
    await everywhere(503, bea.key)
    await root.call(api.channels.update, { id, status: 1 })
    await everywhere(200, bea.key)
    await bea.client.call(api.tokens.update, { id: bea.tokenId, status: 2 })
    await everywhere(401, bea.key)
    await bea.client.call(api.tokens.update, { id: bea.tokenId, status: 1 })
    await everywhere(200, bea.key)
    await root.call(api.users.manage, { username: 'bea', action: 'disable' })
    await everywhere(403, bea.key)
  })

  test('a budget is shared, not multiplied', async () => {
    const budget = 10 * charge + 20
    const cid = await person('cid', budget)
    const gate = Promise.withResolvers<void>()
    behave = async (request) => {
      await gate.promise
      return answer(request)
    }
    const running = Array.from({ length: 40 }, () => chat(front, cid.key))
    const refused = () =>
      Promise.all(
        running.map((request) => Promise.race([request.then(({ status }) => status), Bun.sleep(1).then(() => 0)])),
      ).then((statuses) => statuses.filter((status) => status === 402).length)
    await eventually(refused, (count) => count >= 30)
    gate.resolve()
    const statuses = (await Promise.all(running)).map(({ status }) => status)
    behave = answer
    const admitted = statuses.filter((status) => status === 200).length
    expect(admitted + statuses.filter((status) => status === 402).length).toBe(40)
    expect(await quotaOf(cid.id)).toBe(budget - admitted * charge)
    expect(await reconcile(database.db)).toEqual([])
  })

  test('one killed at work is replaced as leader, gives its holds back, and the rest go on', async () => {
    const leads = ({ output }: SpawnedServer) => output().includes('this node leads')
    const leader = nodes.find(leads)
    const rest = nodes.filter((node) => node !== leader)
    if (!leader) throw new Error('nobody leads')
    const dan = await person('dan', 10_000)
    const begun = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    behave = async (request) => {
      begun.resolve()
      await mayEnd.promise
      return answer(request)
    }
    const lost = chat(leader.url, dan.key).catch(() => null)
    await begun.promise
    const { node_id } = await database.db.selectFrom('holds').select('node_id').executeTakeFirstOrThrow()
    leader.kill('SIGKILL')
    expect(await lost).toBe(null)
    // Until it is gone its port still takes connections, and resets them.
    await leader.exited
    mayEnd.resolve()
    behave = answer

    for (let at = 0; at < 6; at += 1) expect((await chat(front, dan.key)).status).toBe(200)
    await eventually(
      () => rest.filter(leads).length,
      (count) => count === 1,
    )
    // As if the time had passed after which a node that gives no sign counts as dead.
    await database.db.updateTable('nodes').set({ lease_until: 0 }).where('id', '=', node_id).execute()
    await eventually(
      () => quotaOf(dan.id),
      (quota) => quota === 10_000 - 6 * charge,
    )
    expect(await reconcile(database.db)).toEqual([])
  })

  test('failed logins are counted together', async () => {
    const statuses: number[] = []
    for (let at = 0; at < failuresMax + 3; at += 1) {
      const { status } = await createClient(front).raw(api.auth.login, { username: `nobody-${at}`, password: 'wrong' })
      statuses.push(status)
    }
    expect(statuses.filter((status) => status !== 429)).toHaveLength(failuresMax)
  })
})
