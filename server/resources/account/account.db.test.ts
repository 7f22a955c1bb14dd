import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { writeLog } from '#server/db/logs/log-rows.ts'
import { transact } from '#server/db/transact.ts'
import { startSession } from '#server/http/session.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { whileReplaced } from '#server/testing/identity-scene.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { accountApi } from '#shared/api/account.ts'
import { authApi } from '#shared/api/auth.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { usersApi } from '#shared/api/users.ts'

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

const db = () => app.ctx.database.db

const secondSession = async ({ userId }: SignedIn) => {
  const client = app.client()
  client.cookie = (await startSession(app.ctx, new Request(app.url), userId)).split(';')[0] ?? ''
  return client
}

describe('the own account', () => {
  test('is shown whole, without anything secret', async () => {
    const anna = await signIn(app, { quota: 700, group: 'vip' })
    expect(await anna.raw(accountApi.self, {})).toEqual({
      status: 200,
      success: true,
      message: '',
      data: {
        id: anna.userId,
        username: anna.username,
        password: '',
        display_name: anna.username,
        role: 1,
        status: 1,
        email: '',
        github_id: '',
        wechat_id: '',
        oidc_id: '',
        quota: 700,
        used_quota: 0,
        request_count: 0,
        group: 'vip',
        aff_code: '',
        inviter_id: 0,
        budget: 0,
        budget_period: 'month',
        budget_used: 0,
        budget_resets_at: expect.any(Number),
      },
    })
  })

  test('changes names; an empty password changes nothing', async () => {
    const anna = await signIn(app)
    await anna.call(accountApi.update, { username: 'anna', display_name: 'Anna A.', password: '' })
    expect(await anna.call(accountApi.self, {})).toMatchObject({ username: 'anna', display_name: 'Anna A.' })
    await anna.call(accountApi.update, { display_name: '' })
    expect((await anna.call(accountApi.self, {})).display_name).toBe('anna')
  })

  test('a new password ends the other sessions and keeps this one', async () => {
    const anna = await signIn(app)
    const elsewhere = await secondSession(anna)
    await anna.call(accountApi.update, { password: 'new password' })
    expect((await anna.raw(accountApi.self, {})).success).toBe(true)
    expect((await elsewhere.raw(accountApi.self, {})).status).toBe(401)
    await app.client().call(authApi.login, { username: anna.username, password: 'new password' })
  })

  test('no session changes the password after a new one has ended it, also when it asked before', async () => {
    const change = { password: 'of the thief' }
    const thieves = [
      (of: SignedIn) => of.raw(accountApi.update, change),
      (of: SignedIn) => of.raw(usersApi.update, { ...change, id: of.userId }),
    ]
    for (const steal of thieves) {
      const owner = await signIn(app, { role: 'root' })
      expect(await whileReplaced(app, owner, () => steal(owner))).toMatchObject({ status: 401, success: false })
      const { password_hash } = await db()
        .selectFrom('users')
        .select('password_hash')
        .where('id', '=', owner.userId)
        .executeTakeFirstOrThrow()
      expect(password_hash).toBe('of the new one')
    }
  })

  test('of several sessions that set a password at one moment, one does', async () => {
    const anna = await signIn(app)
    const sessions = await Promise.all(Array.from({ length: 5 }, () => secondSession(anna)))
    const answers = await Promise.all(
      sessions.map((session, at) => session.raw(accountApi.update, { password: `password ${at}` })),
    )
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
  })

  test('sent back whole changes nothing it must not', async () => {
    const anna = await signIn(app, { quota: 5 })
    const before = await anna.call(accountApi.self, {})
    const whole = { ...before, role: 100, status: 1, quota: 1_000_000, group: 'vip', email: 'x@example.com' }
    const body = JSON.stringify({ ...whole, display_name: 'Climber' })
    expect(await (await anna.fetch('/api/user/self', { method: 'PUT', body })).json()).toMatchObject({ success: true })
    expect(await anna.call(accountApi.self, {})).toEqual({ ...before, display_name: 'Climber' })
  })

  test.each([
    ['the name of another', { username: 'root' }, 'The username is taken'],
    ['no name', { username: '' }, 'username is required'],
    ['a short password', { password: 'short' }, 'password length must not be less than 8'],
    ['a long display name', { display_name: 'x'.repeat(21) }, 'display name must be at most 20 characters'],
  ])('refuses %s', async (_, change, message) => {
    const answer = await (await signIn(app)).raw(accountApi.update, change)
    expect(answer).toMatchObject({ status: 200, success: false })
    expect(answer.message).toContain(message)
  })

  test('has an invitation code that stays', async () => {
    const anna = await signIn(app)
    const code = await anna.call(accountApi.affiliateCode, {})
    expect(code).toMatch(/^\w{4}$/)
    expect(await anna.call(accountApi.affiliateCode, {})).toBe(code)
  })
})

describe('the system access token', () => {
  const bearing = (value: string) => app.client({ authorization: value })

  test('stands for its user, with and without Bearer, until the next one', async () => {
    const anna = await signIn(app)
    const token = await anna.call(accountApi.accessToken, {})
    expect(token).toMatch(/^[0-9a-f]{32}$/)
    for (const value of [token, `Bearer ${token}`, `bearer ${token}`]) {
      expect((await bearing(value).call(accountApi.self, {})).id).toBe(anna.userId)
    }
    const next = await anna.call(accountApi.accessToken, {})
    expect(await bearing(token).raw(accountApi.self, {})).toMatchObject({
      status: 401,
      message: 'The access token is invalid',
    })
    expect((await bearing(next).raw(accountApi.self, {})).success).toBe(true)
  })

  test('ends with the password, and with nothing else that changes', async () => {
    const anna = await signIn(app)
    const token = await anna.call(accountApi.accessToken, {})
    await anna.call(accountApi.update, { display_name: 'Anna' })
    expect((await bearing(token).raw(accountApi.self, {})).success).toBe(true)
    await anna.call(accountApi.update, { password: 'new password' })
    expect((await bearing(token).raw(accountApi.self, {})).status).toBe(401)
  })

  test('is not given to a session that a new password has ended, also when it asked before', async () => {
    const anna = await signIn(app)
    const answer = await whileReplaced(app, anna, () => anna.raw(accountApi.accessToken, {}))
    expect(answer).toMatchObject({ status: 401, success: false })
    const token = await (await secondSession(anna)).call(accountApi.accessToken, {})
    const other = await whileReplaced(app, anna, () => bearing(token).raw(accountApi.accessToken, {}))
    expect(other).toMatchObject({ status: 401, success: false })
  })

  test('is kept as a hash and shown by no other call', async () => {
    const anna = await signIn(app)
    const token = await anna.call(accountApi.accessToken, {})
    const root = await app.root()
    const shown = [
      await db().selectFrom('users').selectAll().execute(),
      await root.raw(usersApi.list, { pagesize: 100 }),
      await root.raw(usersApi.search, { keyword: anna.username }),
      await root.raw(usersApi.get, { id: anna.userId }),
      await anna.raw(accountApi.self, {}),
    ]
    expect(JSON.stringify(shown)).not.toContain(token)
  })

  test('cannot be made from another site', async () => {
    const anna = await signIn(app)
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await anna.fetch('/api/user/token', { headers })).status).toBe(403)
    const basic = { ...headers, authorization: 'Basic eDp5' }
    expect((await anna.fetch('/api/user/token', { headers: basic })).status).toBe(403)
  })

  test('comes before the cookie, so that no cookie acts without a check of the origin', async () => {
    const anna = await signIn(app)
    const forged = { 'sec-fetch-site': 'cross-site', authorization: 'Bearer anything' }
    expect((await anna.fetch('/api/user/token', { headers: forged })).status).toBe(401)
  })

  test('of a banned user opens nothing', async () => {
    const anna = await signIn(app)
    const token = await anna.call(accountApi.accessToken, {})
    await db().updateTable('users').set({ status: 2 }).where('id', '=', anna.userId).execute()
    expect((await bearing(token).raw(accountApi.self, {})).status).toBe(403)
  })
})

describe('deleting the own account', () => {
  const totals = () => db().selectFrom('log_totals').select(['count', 'quota']).execute()

  test('leaves nothing but an anonymous number in the ledger', async () => {
    const anna = await signIn(app, { quota: 1_000_000 })
    const bert = await signIn(app)
    await anna.call(tokensApi.create, { name: 'mine' })
    await anna.call(authApi.oauthState, {})
    await db().updateTable('users').set({ email: 'anna@example.com' }).where('id', '=', anna.userId).execute()
    await db()
      .insertInto('codes')
      .values({ purpose: 'reset', subject: 'anna@example.com', code_hash: 'x', expires_at: 2e9, tries_left: 5 })
      .execute()
    await transact(app.ctx, async (tx) => {
      for (const { userId, username } of [anna, bert]) {
        const event = { code: 'money.code', values: { money: '$1' } } as const
        await writeLog(tx, { userId, username, type: 1, event, quota: 10, at: 1_800_000_000 })
      }
    })
    await foldLogs(app.ctx)
    expect(await totals()).toEqual([{ count: 2, quota: 20 }])

    const answer = await anna.raw(accountApi.remove, {})
    expect(answer.success).toBe(true)
    expect(anna.cookie).not.toContain('session=')

    for (const table of ['tokens', 'sessions', 'logs', 'holds', 'oauth_states'] as const) {
      expect(await db().selectFrom(table).select('user_id').where('user_id', '=', anna.userId).execute()).toEqual([])
    }
    expect(await db().selectFrom('users').select('id').where('id', '=', anna.userId).execute()).toEqual([])
    expect(await db().selectFrom('codes').selectAll().where('subject', '=', 'anna@example.com').execute()).toEqual([])
    expect(await totals()).toEqual([{ count: 1, quota: 10 }])
    const closing = await db().selectFrom('ledger_entries').selectAll().where('kind', '=', 'close').execute()
    expect(closing).toMatchObject([{ user_id: anna.userId, amount: -1_000_000 }])
    expect(await reconcile(db())).toEqual([])
  })

  test('with a request still running keeps the books straight', async () => {
    const anna = await signIn(app, { quota: 1000 })
    const { id: tokenId } = await anna.call(tokensApi.create, { name: 'mine', unlimited_quota: true })
    const request = {
      id: 'running',
      userId: anna.userId,
      tokenId,
      teamId: 0,
      memberId: 0,
      at: 1,
      limits: null,
      corrections: [],
    }
    await app.ctx.ledger.reserve({ ...request, least: 10, wanted: 400 })
    await anna.call(accountApi.remove, {})
    expect(await reconcile(db())).toEqual([])
    await app.ctx.ledger.settle({ ...request, charge: 300, channelId: 0, counts: true, log: null, admittedAt: 1 })
    expect(await reconcile(db())).toEqual([])
    expect(await db().selectFrom('holds').selectAll().execute()).toEqual([])
  })

  test('is not done by a session that a new password has ended, also when it asked before', async () => {
    const anna = await signIn(app)
    expect((await whileReplaced(app, anna, () => anna.raw(accountApi.remove, {}))).status).toBe(401)
    expect((await (await secondSession(anna)).call(accountApi.self, {})).id).toBe(anna.userId)
  })

  test('is not for the super administrator', async () => {
    const root = await app.root()
    const answer = await root.raw(accountApi.remove, {})
    expect(answer).toMatchObject({ success: false, message: 'Cannot delete the super administrator' })
    expect((await root.raw(accountApi.self, {})).success).toBe(true)
  })

  test('frees the name', async () => {
    const anna = await signIn(app, { username: 'phoenix' })
    await anna.call(accountApi.remove, {})
    const again = await app.client().raw(authApi.register, { username: 'phoenix', password: 'a password' })
    expect(again.success).toBe(true)
  })
})
