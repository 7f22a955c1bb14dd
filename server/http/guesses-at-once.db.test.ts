import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { enterAs, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

const most = 4
const env = { RATE_LIMIT_CRITICAL: `${most}/1200`, TRUST_PROXY: '1' }

let nodes: TestApp[]
beforeAll(async () => {
  const first = await startTestApp({ env })
  const { DATABASE_URL: databaseUrl } = first.ctx.config
  nodes = onPostgres
    ? [first, await startTestApp({ env, databaseUrl }), await startTestApp({ env, databaseUrl })]
    : [first]
})
afterAll(async () => {
  for (const node of nodes.toReversed()) await node.stop()
})

const app = (): TestApp => {
  const [first] = nodes
  if (!first) throw new Error('no node')
  return first
}

let networks = 0

/** Calls of one account from as many addresses that nobody used before, over all nodes. */
async function callers(userId: number, count: number): Promise<TestClient[]> {
  const { cookie } = await enterAs(app(), userId)
  networks += 1
  return Array.from({ length: count }, (_, at) => {
    const client = (nodes[at % nodes.length] ?? app()).client({ 'x-forwarded-for': `198.${networks}.${at}.7` })
    client.cookie = cookie
    return client
  })
}

const guesses = {
  'redemption codes': (client: TestClient, at: number) => client.raw(api.account.topUp, { key: `wrong-${at}` }),
  'invitation codes': (client: TestClient, at: number) => client.raw(api.teams.join, { code: `wrong-${at}` }),
}

describe.each(Object.entries(guesses))('wrong %s', (_, guess) => {
  test('sent together count for an account like those sent one after the other', async () => {
    const one = await signIn(app())
    const other = await signIn(app())
    const inTurn: number[] = []
    for (const [at, client] of (await callers(one.userId, 12)).entries()) inTurn.push((await guess(client, at)).status)
    expect(inTurn.filter((status) => status === 200)).toHaveLength(most)
    const together = await Promise.all((await callers(other.userId, 40)).map((client, at) => guess(client, at)))
    expect(together.filter(({ status }) => status === 200)).toHaveLength(most)
    expect(together.filter(({ status }) => status === 429)).toHaveLength(40 - most)
  })
})

test('good codes are no guesses, also beside wrong ones', async () => {
  const root = await app().root()
  const codes = await root.call(api.redemptions.create, { name: 'gift', quota: 10, count: 9 })
  const user = await signIn(app())
  const clients = await callers(user.userId, 20)
  for (const [at, key] of codes.entries()) {
    const client = clients[at]
    if (!client) throw new Error('no client')
    expect(await client.call(api.account.topUp, { key })).toBe(10)
    if (at < most - 1) await guesses['redemption codes'](client, at)
  }
})

test('whoever is in a team already has guessed nothing', async () => {
  const owner = await signIn(app())
  const { id } = await owner.call(api.teams.create, { name: 'team' })
  const { code } = await owner.call(api.teams.invite, { id })
  const clients = await callers(owner.userId, most + 3)
  for (const client of clients) expect((await client.raw(api.teams.join, { code })).code).toBe('team.already_member')
})
