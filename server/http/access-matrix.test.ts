import { afterAll, beforeAll, expect, test } from 'bun:test'
import { channelTestRoutes } from '#server/relay/channel-tests/channel-tests.routes.ts'
import { createRelayContext } from '#server/relay/relay-context.ts'
import { routingConsoleRoutes } from '#server/relay/routing-console/routing-console.routes.ts'
import { consoleRoutes } from '#server/routes.ts'
import { accessTable, expectedAt } from '#server/testing/security/access-table.ts'
import { bringPeople, type Person, people } from '#server/testing/security/people.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import type { Endpoint } from '#shared/contract.ts'
import { readTable } from '#shared/testing/table.ts'

const endpoints: Endpoint[] = Object.values(api).flatMap((resource) => Object.values(resource))
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** A cell for each endpoint, called after it and after who calls or how. */
const cellsOf = (some: readonly Endpoint[], how: string) =>
  some.map((endpoint) => [`${nameOf(endpoint)} ${how}`, endpoint] as const)

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

test('every call asks for the role that is written down for it', () => {
  const found = endpoints.map((endpoint) => [nameOf(endpoint), endpoint.own ? 'own' : endpoint.access])
  expect(Object.fromEntries(found)).toEqual(accessTable)
})

/** Deleting the own account and ending the session would take the caller out of the matrix. */
const leaves = new Set<Endpoint>([api.account.remove, api.auth.logout])
const stay = endpoints.filter((endpoint) => !leaves.has(endpoint))

test.each(people)('%s gets in where the contract says and nowhere else', async (person) => {
  const cells = cellsOf(stay, `as ${person}`)
  const expected = await readTable(cells, async (endpoint) => expectedAt(nameOf(endpoint), person))
  expect(await readTable(cells, (endpoint) => knock(person, endpoint))).toEqual(expected)
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

test.each(Object.entries(ways))('%s opens what it should and nothing else', async (way, [person, credentialsOf]) => {
  const credentials = await credentialsOf()
  const endpointsOfWay = stay.filter((endpoint) => !endsOthers.has(endpoint))
  const cells = cellsOf(endpointsOfWay, `by ${way}`)
  const expected = await readTable(cells, async (endpoint) => expectedAt(nameOf(endpoint), person))
  expect(await readTable(cells, (endpoint) => knockWith(credentials, endpoint))).toEqual(expected)
})

test('the calls that take their caller away open to users and to anybody', async () => {
  expect(await knock('nobody', api.account.remove)).toBe(401)
  expect(await knock('banned', api.account.remove)).toBe(403)
  expect(await knock('nobody', api.auth.logout)).toBe('in')
})

const changing = endpoints.filter(({ changes }) => changes)

/** What a browser of root is answered that says where its call comes from. */
async function refusalOf(endpoint: Endpoint, headers: Readonly<Record<string, string>>) {
  const path = endpoint.path.replace(/:\w+/g, '1')
  const answer = await clients.root.fetch(path, { method: endpoint.method, headers })
  const { code } = (await answer.json()) as { code?: string }
  return `${answer.status} ${code}`
}

test.each(['cross-site', 'same-site'])('a page that is %s cannot make a browser change anything', async (site) => {
  const cells = cellsOf(changing, `from ${site}`)
  const found = await readTable(cells, (endpoint) => refusalOf(endpoint, { 'sec-fetch-site': site }))
  expect(found).toEqual(await readTable(cells, async () => '403 request.cross_site'))
})

/** Where a browser says a link was opened; over plain HTTP it says only that it would like a page. */
const openings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  none: { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
  'same-origin': { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' },
  'cross-site': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  'plain HTTP': { accept: 'text/html,application/xhtml+xml' },
}

test.each(Object.entries(openings))('a link that was opened changes nothing: %s', async (from, headers) => {
  const cells = cellsOf(
    changing.filter(({ method }) => method === 'GET'),
    `opened from ${from}`,
  )
  const found = await readTable(cells, (endpoint) => refusalOf(endpoint, headers))
  expect(found).toEqual(await readTable(cells, async () => '403 request.navigation'))
})

test('every call but a plain reading is counted as changing something', () => {
  const reading = endpoints.filter(({ changes }) => !changes)
  expect(reading.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('every path means the same with and without the slash at the end', async () => {
  const found = async (endpoint: Endpoint, end: string) => {
    const path = endpoint.path.replace(/:\w+/g, '999999999').replace(/\/$/, '')
    const answer = await app.client().fetch(path + end, { method: endpoint.method })
    return answer.status !== 404
  }
  for (const [how, end] of [
    ['without a slash', ''],
    ['with a slash', '/'],
  ] as const) {
    const cells = cellsOf(endpoints, how)
    expect(await readTable(cells, (endpoint) => found(endpoint, end))).toEqual(await readTable(cells, async () => true))
  }
})
