import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { channelTestRoutes } from '#server/relay/channel-tests/channel-tests.routes.ts'
import { createRelayContext } from '#server/relay/relay-context.ts'
import { routingConsoleRoutes } from '#server/relay/routing-console/routing-console.routes.ts'
import { consoleRoutes } from '#server/routes.ts'
import { bringPeople, expectedAt, type Person, people } from '#server/testing/security/people.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import type { Endpoint } from '#shared/contract.ts'

const endpoints: Endpoint[] = Object.values(api).flatMap((resource) => Object.values(resource))
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

let app: TestApp
let clients: Record<Person, TestClient>

beforeAll(async () => {
  app = await startTestApp({ env: { RELEASES_URL: 'http://127.0.0.1:1' } })
  clients = await bringPeople(app)
  await setOptions(app, { AdminSecondFactorRequired: 'true', ModelPagePublic: 'true' })
})
afterAll(() => app.stop())

const doorCodes = new Set([
  'auth.required',
  'auth.invalid_access_token',
  'auth.forbidden',
  'auth.banned',
  'auth.second_factor_required',
])

/** The headers that say who calls. */
type Credentials = Readonly<Partial<Record<'cookie' | 'authorization', string>>>

const knock = (person: Person, endpoint: Endpoint) => knockWith({ cookie: clients[person].cookie }, endpoint)

/** A call that passes the door and changes nothing: every id is unknown, every body says too much. */
async function knockWith(credentials: Credentials, endpoint: Endpoint): Promise<'in' | number> {
  const path = endpoint.path.replace(/:\w+/g, '999999999')
  const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT'
  const answer = await fetch(app.url + path, {
    method: endpoint.method,
    headers: { ...credentials },
    ...(hasBody ? { body: '{"no such field":1}' } : {}),
  })
  const { code } = (await answer.json().catch(() => ({}))) as { code?: string }
  return doorCodes.has(code ?? '') ? answer.status : 'in'
}

test('every operation of the contract is mounted, once, and nothing else', () => {
  const context = createRelayContext(app.ctx, () => {})
  const routes = [...consoleRoutes, ...channelTestRoutes(context), ...routingConsoleRoutes(context)]
  const mounted = routes.map(({ endpoint }) => nameOf(endpoint)).sort()
  expect(mounted).toEqual(endpoints.map(nameOf).sort())
})

/** Deleting the own account and ending the session would take the caller out of the matrix. */
const leaves = new Set<Endpoint>([api.account.remove, api.auth.logout])
const stay = endpoints.filter((endpoint) => !leaves.has(endpoint))

describe.each(people.map((person) => [person] as const))('%s', (person) => {
  test.each(stay.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', async (_, endpoint) => {
    expect(await knock(person, endpoint)).toBe(expectedAt(endpoint, person))
  })
})

/** Other ways in, each with whose rights it gives. */
const ways: Readonly<Record<string, readonly [Person, () => Promise<Credentials>]>> = {
  'an access token of a user': ['user', async () => bearer(await tokenOf(clients.user))],
  'an access token of an administrator': ['admin', async () => bearer(await tokenOf(clients.admin))],
  'an access token of root': ['root', async () => bearer(await tokenOf(clients.root))],
  'an access token of one without the second factor': ['unproven', async () => bearer(await tokenOf(clients.unproven))],
  'an access token of one who was banned': ['banned', () => madeBy(async (one) => bearer(await tokenOf(one)), ban)],
  'an access token that was replaced': ['nobody', () => madeBy(async (one) => bearer(await tokenOf(one)), tokenOf)],
  'a key of the relay': [
    'nobody',
    async () => bearer(`sk-${(await clients.user.call(api.tokens.create, { name: 'a' })).key}`),
  ],
  'a session that was ended': ['nobody', () => madeBy(ownCookie, (one) => one.call(api.auth.logout, {}))],
  'a session that is too old': ['nobody', () => madeBy(ownCookie, grow)],
  'a session of an account that was deleted': ['nobody', () => madeBy(ownCookie, remove)],
  'a session of root beside a wrong token': [
    'nobody',
    async () => ({ cookie: clients.root.cookie, ...bearer('wrong') }),
  ],
  'a session whose cookie is cut': ['nobody', async () => ({ cookie: clients.root.cookie.slice(0, -1) })],
}

const bearer = (token: string): Credentials => ({ authorization: `Bearer ${token}` })
const tokenOf = (client: TestClient) => client.call(api.account.accessToken, {})
const ownCookie = async ({ cookie }: TestClient): Promise<Credentials> => ({ cookie })

/** What a new administrator can show, after something has happened. */
async function madeBy(
  make: (one: SignedIn) => Promise<Credentials>,
  then: (one: SignedIn) => Promise<unknown> = async () => {},
): Promise<Credentials> {
  const one = await signIn(app, { role: 'admin' })
  const credentials = await make(one)
  await then(one)
  return credentials
}

const ban = ({ userId }: SignedIn) =>
  app.ctx.database.db.updateTable('users').set({ status: 2 }).where('id', '=', userId).execute()
const grow = ({ userId }: SignedIn) =>
  app.ctx.database.db.updateTable('sessions').set({ expires_at: 1 }).where('user_id', '=', userId).execute()
const remove = ({ username }: SignedIn) => clients.root.call(api.users.manage, { username, action: 'delete' })

/** By an access token they would end the tokens and sessions that the others here come with. */
const endsOthers = new Set<Endpoint>([api.account.accessToken, api.sessions.removeOthers])

describe.each(Object.entries(ways))('%s', (_, [person, credentialsOf]) => {
  test('opens what it should and nothing else', async () => {
    const credentials = await credentialsOf()
    for (const endpoint of stay) {
      if (endsOthers.has(endpoint)) continue
      const found = await knockWith(credentials, endpoint)
      expect([nameOf(endpoint), found]).toEqual([nameOf(endpoint), expectedAt(endpoint, person)])
    }
  })
})

test('the calls that take their caller away open to users and to anybody', async () => {
  expect(await knock('nobody', api.account.remove)).toBe(401)
  expect(await knock('banned', api.account.remove)).toBe(403)
  expect(await knock('nobody', api.auth.logout)).toBe('in')
})

const changing = endpoints.filter(({ changes }) => changes)

test.each(changing.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  'another site cannot make a browser call %s',
  async (_, endpoint) => {
    const path = endpoint.path.replace(/:\w+/g, '1')
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site }
      const answer = await clients.root.fetch(path, { method: endpoint.method, headers })
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({ code: 'request.cross_site' })
    }
  },
)

test.each(changing.filter(({ method }) => method === 'GET').map((endpoint) => [endpoint.path, endpoint] as const))(
  'a link that was opened cannot call %s',
  async (path) => {
    for (const site of ['none', 'same-origin', 'cross-site']) {
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' }
      const answer = await clients.root.fetch(path, { headers })
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({ code: 'request.navigation' })
    }
    const plainHttp = await clients.root.fetch(path, { headers: { accept: 'text/html,application/xhtml+xml' } })
    expect(plainHttp.status).toBe(403)
  },
)

test('every call but a plain reading is counted as changing something', () => {
  const reading = endpoints.filter(({ changes }) => !changes)
  expect(reading.filter(({ method }) => method !== 'GET')).toEqual([])
})

test.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s means the same with and without the slash at the end',
  async (_, endpoint) => {
    const path = endpoint.path.replace(/:\w+/g, '999999999').replace(/\/$/, '')
    for (const form of [path, `${path}/`]) {
      const answer = await app.client().fetch(form, { method: endpoint.method })
      expect(answer.status).not.toBe(404)
    }
  },
)
