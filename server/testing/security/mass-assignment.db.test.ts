import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { signIn } from '#server/testing/sign-in.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import { checkTable } from '#shared/testing/table.ts'

/** What nobody gives himself, by the names the console uses and those of the columns. */
const coveted: Record<string, unknown> = {
  id: 1,
  role: 100,
  status: 3,
  quota: 999_999_999,
  used_quota: 7,
  request_count: 7,
  group: 'vip',
  email: 'root@example.com',
  github_id: '1',
  wechat_id: 'w',
  access_token: 'a'.repeat(32),
  access_token_hash: 'a'.repeat(43),
  password_hash: 'x',
  aff_code: 'AAAA',
  inviter_id: 1,
  created_time: 1,
}

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

const users = () => app.ctx.database.db.selectFrom('users').selectAll().orderBy('id').execute()
const send = (client: Pick<TestClient, 'fetch'>, method: string, path: string, body: object) =>
  client.fetch(path, { method, body: JSON.stringify(body) })

describe('a field that is not for its sender to set', () => {
  const covetedCells = Object.entries(coveted).map(([field, value]) => [field, { field, value }] as const)
  const cellsOf = (fields: readonly string[]) => fields.map((field) => [field, field] as const)

  test('changes nothing in the own profile', async () => {
    await checkTable(covetedCells, async ({ field, value }) => {
      const ann = await signIn(app)
      const before = await users()
      await send(ann, 'PUT', '/api/user/self', { username: ann.username, display_name: ann.username, [field]: value })
      expect(await users()).toEqual(before)
    })
  })

  test('makes no better account at registration', async () => {
    await checkTable(covetedCells, async ({ field, value }) => {
      const username = `new-${Object.keys(coveted).indexOf(field)}`
      const body = { username, password: 'a-password', password2: 'a-password' }
      await send(app.client(), 'POST', '/api/user/register', { ...body, [field]: value })
      const made = (await users()).find((user) => user.username === username)
      if (made) expect({ ...made, [field]: value }).not.toEqual(made)
    })
  })

  const notForAdmins = [
    'role',
    'used_quota',
    'request_count',
    'access_token',
    'access_token_hash',
    'password_hash',
    'aff_code',
    'inviter_id',
    'github_id',
    'wechat_id',
    'created_time',
  ]
  test('cannot be set by an administrator for others', async () => {
    await checkTable(cellsOf(notForAdmins), async (field) => {
      const admin = await signIn(app, { role: 'admin' })
      const ann = await signIn(app)
      const before = await users()
      await send(admin, 'PUT', '/api/user/', { id: ann.userId, [field]: coveted[field] })
      expect(await users()).toEqual(before)
    })
  })

  test('cannot be chosen by the owner of a token', async () => {
    const fields = ['user_id', 'key', 'key_hash', 'used_quota', 'accessed_time', 'created_time']
    await checkTable(cellsOf(fields), async (field) => {
      const ann = await signIn(app)
      const body = { name: field, [field]: field === 'key' || field === 'key_hash' ? 'k'.repeat(48) : 1 }
      await send(ann, 'POST', '/api/token/', body)
      const token = await app.ctx.database.db
        .selectFrom('tokens')
        .selectAll()
        .where('name', '=', field)
        .executeTakeFirst()
      if (!token) return
      expect(token.user_id).toBe(ann.userId)
      expect({ ...token, ...body }).not.toEqual(token)
    })
  })
})
