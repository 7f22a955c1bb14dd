import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import { allows, roles } from '#shared/roles.ts'
import { checkTable } from '#shared/testing/table.ts'

/** Every operation that names a thing by its number. */
const byId = Object.values(api)
  .flatMap((resource) => Object.values(resource))
  .filter(({ input }) => 'id' in input.shape)

let app: TestApp
let mallory: SignedIn
let ids: Record<string, number | string>

beforeAll(async () => {
  app = await borrowApp()
  const root = await app.root()
  const ann = await signIn(app, { quota: 1000 })
  mallory = await signIn(app)
  const { id: token } = await ann.call(api.tokens.create, { name: 'of ann' })
  await root.call(api.channels.create, { name: 'one', type: 1, key: 'k', models: 'm' })
  await root.call(api.redemptions.create, { name: 'gift', quota: 5, count: 1 })
  const first = async (table: 'channels' | 'redemptions' | 'history') =>
    (await app.ctx.database.db.selectFrom(table).select('id').executeTakeFirstOrThrow()).id
  const team = await ann.call(api.teams.create, { name: 'of ann' })
  const session = (await ann.call(api.sessions.list, {})).list[0]
  ids = {
    token,
    user: ann.userId,
    channel: await first('channels'),
    redemption: await first('redemptions'),
    history: await first('history'),
    team: team.id,
    session: session?.id ?? 0,
    price: 1,
  }
})
afterAll(() => app.stop())

const tables = ['tokens', 'users', 'channels', 'redemptions', 'teams', 'team_members', 'history'] as const
const everything = () => Promise.all(tables.map((table) => app.ctx.database.db.selectFrom(table).selectAll().execute()))

test('somebody who is not its owner gets nothing from a thing and changes nothing of it', async () => {
  await checkTable(
    byId.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
    async (endpoint) => {
      const kind = endpoint.path.split('/')[2] ?? ''
      const id = ids[kind]
      if (id === undefined) throw new Error(`make something to be reached by ${endpoint.path}`)
      const before = await everything()
      const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT'
      const answer = await mallory.fetch(endpoint.path.replace(':id', String(id)).replace(/:\w+/g, '1'), {
        method: endpoint.method,
        ...(hasBody ? { body: JSON.stringify({ id, name: 'mine now', status: 2 }) } : {}),
      })
      const text = await answer.text()
      expect(JSON.parse(text)).toMatchObject({ success: false })
      expect(text).not.toContain('of ann')
      if (!allows(roles.user, endpoint.access)) expect(answer.status).toBe(403)
      expect(await everything()).toEqual(before)
    },
  )
})
