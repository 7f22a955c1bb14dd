import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { signIn } from '#server/testing/sign-in.ts'
import { rootPassword, startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { accountApi } from '#shared/api/account.ts'
import { authApi } from '#shared/api/auth.ts'

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

const refusal = 'Wrong username or password, or the user is banned'
const users = () => app.ctx.database.db.updateTable('users')

/** An account whose password is `some password`, as bcrypt at its cheapest keeps the tests quick. */
const withPassword = async (account: { email?: string; status?: number; username?: string } = {}) => {
  const { userId, username } = await signIn(app, account.username ? { username: account.username } : {})
  const password_hash = await Bun.password.hash('some password', { algorithm: 'bcrypt', cost: 4 })
  const { email = '', status = 1 } = account
  await users().set({ password_hash, email, status }).where('id', '=', userId).execute()
  return { userId, username }
}

const cookieOf = async (headers: Record<string, string>, on: TestApp = app) => {
  const answer = await on.client(headers).fetch('/api/user/login', {
    method: 'POST',
    body: JSON.stringify({ username: 'root', password: rootPassword }),
  })
  return answer.headers.get('set-cookie') ?? ''
}

describe('logging in', () => {
  test('answers the user and a cookie that scripts and other sites cannot use', async () => {
    const client = app.client()
    const answer = await client.raw(authApi.login, { username: 'root', password: rootPassword })
    expect(answer).toEqual({
      status: 200,
      success: true,
      message: '',
      data: { id: 1, username: 'root', display_name: 'Root User', role: 100, status: 1 },
    })
    expect(await cookieOf({})).toMatch(/^session=\w{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/)
    expect(await client.call(accountApi.self, {})).toMatchObject({ id: 1 })
  })

  test('marks the cookie secure on the word of a trusted proxy alone', async () => {
    expect(await cookieOf({ 'x-forwarded-proto': 'https' })).not.toContain('Secure')
    const proxied = await startTestApp({ env: { TRUST_PROXY: '1' } })
    expect(await cookieOf({ 'x-forwarded-proto': 'https' }, proxied)).toContain('; Secure')
    expect(await cookieOf({ 'x-forwarded-proto': 'https, http' }, proxied)).not.toContain('Secure')
    await proxied.stop()
  })

  test('works with the email address, in any case', async () => {
    const { username } = await withPassword({ email: 'anna@example.com' })
    const answer = await app.client().call(authApi.login, { username: 'Anna@Example.com', password: 'some password' })
    expect(answer).toMatchObject({ username })
  })

  test('prefers the username to an equal email address', async () => {
    await withPassword({ email: 'x@y.zz' })
    await withPassword({ username: 'x@y.zz' })
    const answer = await app.client().call(authApi.login, { username: 'x@y.zz', password: 'some password' })
    expect(answer).toMatchObject({ username: 'x@y.zz' })
  })

  test('upgrades an imported hash', async () => {
    const { userId, username } = await withPassword()
    const hash = () =>
      app.ctx.database.db
        .selectFrom('users')
        .select('password_hash')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
        .then((row) => row.password_hash)
    const imported = (await hash()).replace('$2b$', '$2a$')
    await users().set({ password_hash: imported }).where('id', '=', userId).execute()
    await app.client().call(authApi.login, { username, password: 'some password' })
    expect(await hash()).toStartWith('$argon2id$')
    await app.client().call(authApi.login, { username, password: 'some password' })
  })

  test('takes a new session and ends the one that was there', async () => {
    const client = app.client()
    const credentials = { username: (await withPassword()).username, password: 'some password' }
    await client.call(authApi.login, credentials)
    const before = client.cookie
    await client.call(authApi.login, credentials)
    expect(client.cookie).not.toBe(before)
    const stale = app.client()
    stale.cookie = before
    expect((await stale.raw(accountApi.self, {})).status).toBe(401)
  })

  test('does not keep a session a browser came with', async () => {
    const client = app.client()
    const planted = 'a'.repeat(43)
    client.cookie = `session=${planted}`
    await client.call(authApi.login, { username: (await withPassword()).username, password: 'some password' })
    expect(client.cookie).not.toContain(planted)
    const attacker = app.client()
    attacker.cookie = `session=${planted}`
    expect((await attacker.raw(accountApi.self, {})).status).toBe(401)
  })

  test('warns of the default password, and only of it', async () => {
    const fresh = await startTestApp({ env: { INITIAL_ROOT_PASSWORD: '123456' } })
    const answer = await fresh.client().call(authApi.login, { username: 'root', password: '123456' })
    expect(answer).toMatchObject({ default_password: true })
    await fresh.stop()
  })

  test('is refused with one message, whatever the reason', async () => {
    const banned = await withPassword({ status: 2 })
    const external = await signIn(app)
    const tries = [
      { username: 'nobody', password: 'some password' },
      { username: 'root', password: 'some password' },
      { username: banned.username, password: 'some password' },
      { username: external.username, password: 'some password' },
      { username: 'ROOT', password: rootPassword },
      { username: "' or 1=1 --", password: 'some password' },
    ]
    for (const credentials of tries) {
      const answer = await app.client().raw(authApi.login, credentials)
      expect(answer).toMatchObject({ status: 200, success: false, message: refusal })
    }
  })

  test('is off when the option says so', async () => {
    await setOptions(app, { PasswordLoginEnabled: 'false' })
    const answer = await app.client().raw(authApi.login, { username: 'root', password: rootPassword })
    expect(answer.message).toBe('The administrator has switched off password login')
    await setOptions(app, { PasswordLoginEnabled: 'true' })
  })

  test.each([
    ['no password', '{"username":"root"}', 200],
    ['a number for a password', '{"username":"root","password":12345678}', 200],
    ['an unknown field', '{"username":"root","password":"12345678","role":100}', 200],
    ['a null character', '{"username":"ro\\u0000ot","password":"12345678"}', 200],
    ['a list', '[]', 200],
    ['no JSON', '{username', 400],
  ])('with %s is refused as a bad request', async (_, body, status) => {
    const answer = await app.client().fetch('/api/user/login', { method: 'POST', body })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ success: false })
    expect(answer.headers.get('set-cookie')).toBeNull()
  })
})

test('a login says which of its fields is missing', async () => {
  for (const [body, message] of [
    ['{}', 'username is required'],
    ['{"username":"root"}', 'password is required'],
  ]) {
    const answer = await app.client().fetch('/api/user/login', { method: 'POST', body: body ?? '' })
    expect(await answer.json()).toMatchObject({ success: false, message })
  }
})

describe('logging out', () => {
  test('ends the session and clears the cookie', async () => {
    const client = await signIn(app)
    const before = client.cookie
    await client.call(authApi.logout, {})
    expect(client.cookie).toBe('')
    client.cookie = before
    expect((await client.raw(accountApi.self, {})).status).toBe(401)
  })

  test('succeeds for anybody', async () => {
    expect((await app.client().raw(authApi.logout, {})).success).toBe(true)
  })
})

test('a session ends after thirty days', async () => {
  const client = await signIn(app)
  app.time.now = Date.now() + 31 * 24 * 3_600_000
  expect((await client.raw(accountApi.self, {})).status).toBe(401)
  app.time.now = null
})

describe('guessing', () => {
  const login = (on: TestApp, username: string, password: string, from = '10.0.0.1') =>
    on.client({ 'x-forwarded-for': from }).raw(authApi.login, { username, password })
  const limited = () => startTestApp({ env: { RATE_LIMIT_CRITICAL: '3/600', TRUST_PROXY: '1' } })

  test('is stopped by client address; what succeeds never counts', async () => {
    const guarded = await limited()
    for (let at = 0; at < 5; at++) expect((await login(guarded, 'root', rootPassword)).success).toBe(true)
    for (const name of ['a', 'b', 'c']) expect((await login(guarded, name, 'guess')).message).toBe(refusal)
    expect(await login(guarded, 'root', rootPassword)).toMatchObject({
      status: 429,
      message: 'too many requests, try again later',
    })
    expect((await login(guarded, 'root', rootPassword, '10.0.0.2')).success).toBe(true)
    guarded.time.now = Date.now() + 1200_000
    expect((await login(guarded, 'root', rootPassword)).success).toBe(true)
    await guarded.stop()
  })

  test('is stopped by account, known or not, from however many addresses', async () => {
    const guarded = await limited()
    for (const name of ['root', 'nobody']) {
      for (const last of [1, 2, 3]) expect((await login(guarded, name, 'guess', `10.1.0.${last}`)).status).toBe(200)
      expect((await login(guarded, name, 'guess', '10.1.0.4')).status).toBe(429)
      guarded.time.now = (guarded.time.now ?? Date.now()) + 1200_000
    }
    await guarded.stop()
  })

  test('does not lock out whoever came from there before', async () => {
    const guarded = await limited()
    expect((await login(guarded, 'root', rootPassword, '10.2.0.1')).success).toBe(true)
    for (const last of [2, 3, 4, 5]) await login(guarded, 'root', 'guess', `10.2.0.${last}`)
    expect((await login(guarded, 'root', rootPassword, '10.2.0.9')).status).toBe(429)
    expect((await login(guarded, 'root', rootPassword, '10.2.0.1')).success).toBe(true)
    for (const name of ['a', 'b', 'c']) await login(guarded, name, 'guess', '10.2.0.1')
    expect((await login(guarded, 'root', rootPassword, '10.2.0.1')).status).toBe(429)
    await guarded.stop()
  })

  test('does not get more tries by making them all at once', async () => {
    const guarded = await limited()
    const answers = await Promise.all(Array.from({ length: 20 }, () => login(guarded, 'root', 'guess')))
    const tried = answers.filter(({ status }) => status === 200).length
    expect(tried).toBeGreaterThanOrEqual(3)
    expect(tried).toBeLessThanOrEqual(7)
    await guarded.stop()
  })
})
