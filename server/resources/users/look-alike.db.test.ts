import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { looksOf } from '#server/lib/text/look-alike.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { accountApi } from '#shared/api/account.ts'
import { authApi } from '#shared/api/auth.ts'
import { usersApi } from '#shared/api/users.ts'

let app: TestApp

beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

const password = 'a password'
const register = (username: string) => app.client().raw(authApi.register, { username, password })

describe('a username', () => {
  test.each(['ROOT', 'Root', 'rооt', 'ｒｏｏｔ', 'r00t', 'róot', 'rοοt'])(
    '%s is taken, for it looks like root',
    async (name) => {
      expect((await register(name)).code).toBe('user.name_taken')
    },
  )

  test.each(['a@b', 'x@ex.com', 'x＠y'])('%s is none, for it looks like an address', async (name) => {
    const answer = await register(name)
    expect(answer).toMatchObject({ success: false, message: 'username must not contain @' })
  })

  test.each(['用户甲', 'Анна', 'user_7', 'Zoë', 'root-beer'])('%s is fine', async (name) => {
    expect((await register(name)).success).toBe(true)
  })

  test('cannot become a look-alike later, by its owner or an administrator', async () => {
    const person = await signIn(app, { username: 'innocent' })
    expect((await person.raw(accountApi.update, { username: 'R00T' })).code).toBe('user.name_taken')
    expect((await person.raw(accountApi.update, { username: 'a@b' })).message).toBe('username must not contain @')
    const root = await app.root()
    expect((await root.raw(usersApi.update, { id: person.userId, username: 'ROOT' })).code).toBe('user.name_taken')
    await person.call(accountApi.update, { username: 'blameless' })
    expect((await register('Blameless')).code).toBe('user.name_taken')
    expect((await register('innocent')).success).toBe(true)
  })

  test('that clashes already keeps working, and can be saved as it is', async () => {
    const twin = await signIn(app, { username: 'ROOt' })
    const mailish = await signIn(app, { username: 'old@name' })
    for (const person of [twin, mailish]) {
      await person.call(accountApi.update, { username: person.username, display_name: 'Kept' })
      expect((await person.call(accountApi.self, {})).username).toBe(person.username)
    }
  })
})

test('names that look alike have the same looks', () => {
  expect(looksOf('PaypaI')).toBe(looksOf('paypal'))
  expect(looksOf('bob')).not.toBe(looksOf('rob'))
})

test('an administrator sees no account above his own, in lists, searches or totals', async () => {
  const admin = await signIn(app, { role: 'admin', username: 'adm' })
  const root = await app.root()
  const all = await root.call(usersApi.list, { pagesize: 100 })
  const seen = await admin.call(usersApi.list, { pagesize: 100 })
  expect(all.list.map(({ username }) => username)).toContain('root')
  expect(seen.list.map(({ role }) => role)).not.toContain(100)
  expect(seen.list.map(({ username }) => username)).toContain('adm')
  expect(seen.total).toBe(all.total - 1)
  expect(await admin.call(usersApi.search, { keyword: 'root' })).toMatchObject({
    total: (await root.call(usersApi.search, { keyword: 'root' })).total - 1,
  })
})
