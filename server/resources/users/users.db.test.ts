import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import type { Change } from '#server/lib/changes.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import { accountApi } from '#shared/api/account.ts'
import { authApi } from '#shared/api/auth.ts'
import { type User, usersApi } from '#shared/api/users.ts'
import type { ArgsOf } from '#shared/contract.ts'

let app: TestApp
let root: TestClient
let admin: SignedIn
beforeAll(async () => {
  app = await borrowApp()
  root = await app.root()
  admin = await signIn(app, { role: 'admin', username: 'the-admin' })
})
afterAll(() => app.stop())

const db = () => app.ctx.database.db
const user = (id: number): Promise<User> => root.call(usersApi.get, { id })
const adminRows = async (userId: number) =>
  (
    await db()
      .selectFrom('logs')
      .selectAll()
      .where('user_id', '=', userId)
      .where('type', '=', 3)
      .orderBy('id')
      .execute()
  ).map(({ content }) => content)

describe('the list of users', () => {
  let listed: TestApp
  let boss: TestClient
  beforeAll(async () => {
    listed = await borrowApp()
    boss = await listed.root()
    for (let at = 1; at <= 12; at++) await signIn(listed, { username: `user-${at}`, quota: at % 3 })
    const update = listed.ctx.database.db.updateTable('users')
    await update
      .set({ display_name: '100% Näme', email: 'Mail_1@example.com' })
      .where('username', '=', 'user-3')
      .execute()
    await update.set({ request_count: 9 }).where('username', '=', 'user-5').execute()
  })
  afterAll(() => listed.stop())

  test('shows the newest first, ten a page', async () => {
    const first = await boss.call(usersApi.list, {})
    expect(first).toMatchObject({ total: 13, currentPage: 1, pageSize: 10 })
    expect(first.list[0]?.username).toBe('user-12')
    const second = await boss.call(usersApi.list, { page: 2 })
    expect(second.list.map(({ username }) => username)).toEqual(['user-2', 'user-1', 'root'])
  })

  test('sorted by quota repeats and loses nobody from page to page', async () => {
    const seen: number[] = []
    for (let page = 1; page <= 5; page++) {
      const { list } = await boss.call(usersApi.list, { page, pagesize: 3, order: 'quota' })
      seen.push(...list.map(({ id }) => id))
    }
    expect(seen).toHaveLength(13)
    expect(new Set(seen).size).toBe(13)
    const { list } = await boss.call(usersApi.list, { order: 'request_count' })
    expect(list[0]?.username).toBe('user-5')
  })

  test.each([
    ['part of a name', 'ER-1', ['user-12', 'user-11', 'user-10', 'user-1']],
    ['an id', '4', ['user-4', 'user-3']],
    ['a display name with a percent sign', '0%', ['user-3']],
    ['an address with an underscore', 'l_1@', ['user-3']],
    ['a wildcard that matches nobody', '%5', []],
    ['a quote', "'", []],
    ['a backslash', '\\', []],
  ])('searches %s', async (_, keyword, expected) => {
    const { list, total } = await boss.call(usersApi.search, { keyword: ` ${keyword} ` })
    expect(list.map(({ username }) => username)).toEqual(expected)
    expect(total).toBe(expected.length)
  })

  test('is whole when the keyword is empty', async () => {
    expect((await boss.call(usersApi.search, { keyword: '', pagesize: 100 })).list).toHaveLength(13)
  })

  test.each(['page=0', 'page=x', 'pagesize=101', 'pagesize=0', 'order=password_hash', 'page=1.5'])(
    'refuses %s',
    async (query) => {
      const answer = await boss.fetch(`/api/user/?${query}`)
      expect(await answer.json()).toMatchObject({ success: false, code: 'request.invalid' })
    },
  )
})

describe('one user', () => {
  test('is shown to those above', async () => {
    const anna = await signIn(app)
    expect(await admin.call(usersApi.get, { id: anna.userId })).toEqual(await anna.call(accountApi.self, {}))
    expect((await root.call(usersApi.get, { id: 1 })).username).toBe('root')
    const refused = await admin.raw(usersApi.get, { id: 1 })
    expect(refused.message).toBe('No right to act on users of the same or a higher level')
  })

  test.each(['0', '-1', 'x', '1.5', '99999999999999999999'])('with the id %s is refused', async (id) => {
    const answer = await root.fetch(`/api/user/${id}`)
    expect(await answer.json()).toMatchObject({ success: false, code: 'request.invalid' })
  })

  test('that does not exist is said to be so', async () => {
    expect((await root.raw(usersApi.get, { id: 999_999 })).message).toBe('The user does not exist')
    const nobody = await root.fetch('/api/user/abc', {})
    expect(await nobody.json()).toMatchObject({ success: false, message: 'id must be a positive whole number' })
  })
})

describe('creating a user', () => {
  test('gives the gift of a new registration and leaves a row', async () => {
    await setOptions(app, { QuotaForNewUser: '250' })
    await admin.call(usersApi.create, { username: 'made', password: 'a password' })
    await setOptions(app, { QuotaForNewUser: '0' })
    const { list } = await root.call(usersApi.search, { keyword: 'made' })
    expect(list[0]).toMatchObject({ username: 'made', display_name: 'made', role: 1, status: 1, quota: 250 })
    expect(await adminRows(list[0]?.id ?? 0)).toEqual([`administrator #${admin.userId} created the account`])
    await app.client().call(authApi.login, { username: 'made', password: 'a password' })
  })

  test.each([
    ['a name twice', { username: 'root', password: 'a password' }, 'The username is taken'],
    ['no name', { username: '', password: 'a password' }, 'username is required'],
    ['a short password', { username: 'short', password: '1234567' }, 'password length must not be less than 8'],
  ])('refuses %s', async (_, draft, message) => {
    const answer = await root.raw(usersApi.create, draft)
    expect(answer.success).toBe(false)
    expect(answer.message).toContain(message)
  })

  test('refuses a role', async () => {
    const body = JSON.stringify({ username: 'climber', password: 'a password', role: 100 })
    const answer = await admin.fetch('/api/user/', { method: 'POST', body })
    expect(await answer.json()).toMatchObject({ success: false })
  })
})

describe('changing a user', () => {
  test('changes what is given and writes what changed, in words, without the password', async () => {
    const anna = await signIn(app, { username: 'before', quota: 1000 })
    await root.call(usersApi.update, {
      id: anna.userId,
      username: 'after',
      display_name: 'Anna',
      group: ' vip , svip,vip ',
      password: 'new password',
      quota: 0,
      quota_before: 1000,
    })
    expect(await user(anna.userId)).toMatchObject({
      username: 'after',
      display_name: 'Anna',
      group: 'vip,svip',
      quota: 0,
    })
    expect(await adminRows(anna.userId)).toEqual([
      'administrator #1 changed the user\'s name from "before" to "after"',
      'administrator #1 changed the user\'s display name from "before" to "Anna"',
      'administrator #1 changed the user\'s group from "default" to "vip,svip"',
      'administrator #1 set a new password for the user',
      "administrator #1 changed the user's quota from $0.002000 to $0.000000",
    ])
    expect((await anna.raw(accountApi.self, {})).status).toBe(401)
    await app.client().call(authApi.login, { username: 'after', password: 'new password' })
    expect(await reconcile(db())).toEqual([])
  })

  test('a new password ends the sessions and the access token of the user', async () => {
    const anna = await signIn(app)
    const token = await anna.call(accountApi.accessToken, {})
    await root.call(usersApi.update, { id: anna.userId, password: 'new password' })
    expect((await anna.raw(accountApi.self, {})).status).toBe(401)
    expect((await app.client({ authorization: token }).raw(accountApi.self, {})).status).toBe(401)
  })

  test('announces it to whoever keeps users in memory', async () => {
    const received: Change[] = []
    const stop = app.ctx.changes.listen((change) => received.push(change))
    const anna = await signIn(app)
    await root.call(usersApi.update, { id: anna.userId, group: 'vip' })
    await root.call(usersApi.manage, { username: anna.username, action: 'disable' })
    stop()
    expect(received.filter(({ topic, id }) => topic === 'user' && id === anna.userId)).toHaveLength(2)
  })

  test('that changes nothing writes nothing', async () => {
    const anna = await signIn(app, { quota: 5 })
    const same = await user(anna.userId)
    const answer = await root.fetch('/api/user/', { method: 'PUT', body: JSON.stringify({ ...same, quota_before: 5 }) })
    expect(await answer.json()).toMatchObject({ success: true })
    expect(await user(anna.userId)).toEqual(same)
    expect(await adminRows(anna.userId)).toEqual([])
  })

  test('applies the difference to the form, so that what was spent meanwhile stays spent', async () => {
    const anna = await signIn(app, { quota: 900 })
    await root.call(usersApi.update, { id: anna.userId, quota: 1500, quota_before: 1000 })
    expect((await user(anna.userId)).quota).toBe(1400)
    await root.call(usersApi.update, { id: anna.userId, quota: 0, quota_before: 2000 })
    expect((await user(anna.userId)).quota).toBe(0)
    await root.call(usersApi.update, { id: anna.userId, quota: 77 })
    expect((await user(anna.userId)).quota).toBe(77)
    expect(await reconcile(db())).toEqual([])
  })

  test('a thousand times at once loses nothing', async () => {
    const anna = await signIn(app, { quota: 10 })
    const edits = Array.from({ length: 1000 }, (_, at) => {
      const raise = at % 2 === 0
      return admin.raw(usersApi.update, { id: anna.userId, quota: raise ? 103 : 99, quota_before: 100 })
    })
    const answers = await Promise.all(edits)
    expect(answers.filter(({ success }) => !success)).toEqual([])
    expect(await reconcile(db())).toEqual([])
    const entries = await db()
      .selectFrom('ledger_entries')
      .select('amount')
      .where('user_id', '=', anna.userId)
      .execute()
    expect((await user(anna.userId)).quota).toBe(entries.reduce((sum, { amount }) => sum + amount, 0))
    expect((await user(anna.userId)).quota).toBeGreaterThanOrEqual(1010)
  }, 60_000)

  test('ignores what is not for it to change', async () => {
    const anna = await signIn(app)
    const sneaky = { role: 10, status: 2, email: 'x@example.com', used_quota: 9, aff_code: 'mine', inviter_id: 1 }
    const body = JSON.stringify({ id: anna.userId, ...sneaky })
    expect(await (await admin.fetch('/api/user/', { method: 'PUT', body })).json()).toMatchObject({ success: true })
    expect(await user(anna.userId)).toMatchObject({ role: 1, status: 1, email: '', used_quota: 0, aff_code: '' })
  })

  const bad: [string, Omit<ArgsOf<typeof usersApi.update>, 'id'> | Record<string, unknown>][] = [
    ['a negative quota', { quota: -1 }],
    ['half a unit', { quota: 0.5 }],
    ['a quota past exact integers', { quota: 2 ** 53 }],
    ['quota as text', { quota: '100' }],
    ['a negative quota before', { quota: 1, quota_before: -1 }],
    ['the name of another', { username: 'root' }],
    ['a short password', { password: 'short' }],
    ['a long group', { group: 'x'.repeat(33) }],
    ['an unknown field', { access_token: 'x' }],
  ]
  test.each(bad)('refuses %s and changes nothing', async (_, change) => {
    const anna = await signIn(app, { quota: 3 })
    const before = await user(anna.userId)
    const body = JSON.stringify({ id: anna.userId, display_name: 'changed', ...change })
    const answer = await root.fetch('/api/user/', { method: 'PUT', body })
    expect(await answer.json()).toMatchObject({ success: false })
    expect(await user(anna.userId)).toEqual(before)
  })

  test('refuses more than a balance can hold exactly', async () => {
    const anna = await signIn(app, { quota: 100 })
    const answer = await root.raw(usersApi.update, { id: anna.userId, quota: Number.MAX_SAFE_INTEGER, quota_before: 0 })
    expect(answer.message).toContain('exceed the largest balance')
    expect((await user(anna.userId)).quota).toBe(100)
  })

  test('is for those above; the super administrator may change the own account too', async () => {
    const peer = await signIn(app, { role: 'admin' })
    for (const id of [1, peer.userId, admin.userId]) {
      const answer = await admin.raw(usersApi.update, { id, quota: 1 })
      expect(answer.message).toBe('No right to act on users of the same or a higher level')
    }
    expect((await root.raw(usersApi.update, { id: 1, group: 'vip' })).success).toBe(true)
    expect((await root.raw(usersApi.update, { id: 999_999, quota: 1 })).message).toBe('The user does not exist')
  })
})
