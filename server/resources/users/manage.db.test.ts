import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import { accountApi } from '#shared/api/account.ts'
import { userActions, usersApi } from '#shared/api/users.ts'

let app: TestApp
let root: TestClient
let admin: SignedIn
beforeAll(async () => {
  app = await borrowApp()
  root = await app.root()
  admin = await signIn(app, { role: 'admin', username: 'the-admin' })
})
afterAll(() => app.stop())

const rows = async (userId: number) => {
  const logs = app.ctx.database.db.selectFrom('logs').selectAll().where('user_id', '=', userId)
  return (await logs.orderBy('id').execute()).map(({ type, content }) => ({ type, content }))
}

describe('managing a user', () => {
  test('promotes, demotes, disables and enables, with a row each time', async () => {
    const anna = await signIn(app)
    const act = (action: (typeof userActions)[number]) =>
      root.call(usersApi.manage, { username: anna.username, action })
    expect(await act('promote')).toEqual({ role: 10, status: 1 })
    expect(await act('demote')).toEqual({ role: 1, status: 1 })
    expect(await act('disable')).toEqual({ role: 1, status: 2 })
    expect(await act('disable')).toEqual({ role: 1, status: 2 })
    expect(await act('enable')).toEqual({ role: 1, status: 1 })
    expect(await rows(anna.userId)).toEqual([
      { type: 3, content: "administrator #1 changed the user's role from ordinary user to admin" },
      { type: 3, content: "administrator #1 changed the user's role from admin to ordinary user" },
      { type: 3, content: "administrator #1 changed the user's status from activated to banned" },
      { type: 3, content: "administrator #1 changed the user's status from banned to activated" },
    ])
  })

  test('deletes an account whole; the row names it by number', async () => {
    const anna = await signIn(app, { username: 'goner', quota: 50 })
    expect((await admin.raw(usersApi.manage, { username: 'goner', action: 'delete' })).success).toBe(true)
    expect((await anna.raw(accountApi.self, {})).status).toBe(401)
    expect((await root.raw(usersApi.get, { id: anna.userId })).message).toBe('The user does not exist')
    const own = await rows(admin.userId)
    expect(own).toEqual([{ type: 3, content: `administrator #${admin.userId} deleted user #${anna.userId}` }])
    expect(JSON.stringify(await app.ctx.database.db.selectFrom('logs').selectAll().execute())).not.toContain('goner')
    expect(await reconcile(app.ctx.database.db)).toEqual([])
  })

  test('takes effect on the very next request', async () => {
    const anna = await signIn(app, { role: 'admin' })
    expect((await anna.raw(usersApi.list, {})).success).toBe(true)
    await root.call(usersApi.manage, { username: anna.username, action: 'demote' })
    expect((await anna.raw(usersApi.list, {})).status).toBe(403)
    await root.call(usersApi.manage, { username: anna.username, action: 'disable' })
    expect(await anna.raw(accountApi.self, {})).toMatchObject({ status: 403, message: 'The user has been banned' })
  })

  const higher = 'No right to act on users of the same or a higher level'
  const own = 'You cannot change your own role or status'
  type Who = 'root' | 'admin' | 'other admin' | 'other root' | 'ordinary' | 'nobody'
  const refusals: [actor: 'root' | 'admin', target: Who, action: (typeof userActions)[number], message: string][] = [
    ['root', 'nobody', 'disable', 'The user does not exist'],
    ['root', 'root', 'disable', 'Cannot disable the super administrator'],
    ['root', 'root', 'delete', 'Cannot delete the super administrator'],
    ['root', 'root', 'demote', 'Cannot demote the super administrator'],
    ['root', 'root', 'promote', own],
    ['root', 'root', 'enable', own],
    ['root', 'other root', 'delete', 'Cannot delete the super administrator'],
    ['root', 'other root', 'enable', higher],
    ['root', 'other admin', 'promote', 'The user is already an administrator'],
    ['root', 'ordinary', 'demote', 'The user is already an ordinary user'],
    ['admin', 'ordinary', 'promote', 'An ordinary administrator cannot promote users'],
    ['admin', 'ordinary', 'demote', 'The user is already an ordinary user'],
    ...userActions.flatMap((action): typeof refusals => [
      ['admin', 'root', action, higher],
      ['admin', 'other admin', action, higher],
      ['admin', 'admin', action, own],
    ]),
  ]
  test.each(refusals)('%s cannot: %s, %s', async (actor, target, action, message) => {
    const roleOf = { 'other admin': 'admin', 'other root': 'root', ordinary: 'user' } as const
    const names: Partial<Record<Who, string>> = { root: 'root', admin: admin.username, nobody: 'nobody-there' }
    const made = target in roleOf ? await signIn(app, { role: roleOf[target as keyof typeof roleOf] }) : null
    const username = names[target] ?? made?.username ?? ''
    const before = await app.ctx.database.db.selectFrom('users').selectAll().where('username', '=', username).execute()
    const answer = await (actor === 'root' ? root : admin).raw(usersApi.manage, { username, action })
    expect(answer).toMatchObject({ status: 200, success: false, message })
    const after = await app.ctx.database.db.selectFrom('users').selectAll().where('username', '=', username).execute()
    expect(after).toEqual(before)
  })

  test.each(['{"username":"","action":"disable"}', '{"username":"x","action":"explode"}', '{"action":"disable"}'])(
    'refuses %s',
    async (body) => {
      const answer = await root.fetch('/api/user/manage', { method: 'POST', body })
      expect(await answer.json()).toMatchObject({ success: false, code: 'request.invalid' })
    },
  )
})
