import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hashPassword } from '#server/lib/passwords.ts'
import { hotp, stepAt } from '#server/lib/totp.ts'
import { type Authenticator, createAuthenticator } from '#server/testing/authenticator.ts'
import { startMailServer } from '#server/testing/mail-server.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const password = 'some password'

async function person(role: 'user' | 'admin' | 'root' = 'user', email = ''): Promise<SignedIn> {
  const client = await signIn(app, { role })
  const change = { password_hash: await hashPassword(password), email }
  await app.ctx.database.db.updateTable('users').set(change).where('id', '=', client.userId).execute()
  return client
}

const now = (): number => Math.floor((app.time.now ?? Date.now()) / 1000)
const codeOf = (secret: string, offset = 0): string => hotp(secret, stepAt(now()) + offset)

async function withTotp(client: TestClient): Promise<{ secret: string; recovery: string[] }> {
  const { secret } = await client.call(api.identity.totpStart, {})
  const { recovery_codes } = await client.call(api.identity.totpConfirm, { code: codeOf(secret, -1) })
  return { secret, recovery: recovery_codes }
}

async function ticketFor(username: string, client = app.client()): Promise<string> {
  const answer = await client.call(api.auth.login, { username, password })
  if (!('ticket' in answer)) throw new Error('no second factor was asked for')
  return answer.ticket
}

const isIn = async (client: TestClient) => (await client.raw(api.account.self, {})).success

describe('an authenticator app', () => {
  test('is asked for after the password, and a code ends the login', async () => {
    const anna = await person()
    const { secret, recovery } = await withTotp(anna)
    expect(recovery).toHaveLength(10)
    expect(await anna.call(api.identity.secondFactor, {})).toEqual({ totp: true, recovery_codes_left: 10, passkeys: 0 })
    const client = app.client()
    const due = await client.call(api.auth.login, { username: anna.username, password })
    expect(due).toMatchObject({ second_factor: ['totp'] })
    expect(await isIn(client)).toBeFalse()
    const ticket = 'ticket' in due ? due.ticket : ''
    const user = await client.call(api.identity.secondLogin, { ticket, code: codeOf(secret) })
    expect(user.username).toBe(anna.username)
    expect(await isIn(client)).toBeTrue()
    expect((await client.raw(api.identity.secondLogin, { ticket, code: codeOf(secret) })).code).toBe('auth.ticket')
  })

  test('a code counts once, also in another login', async () => {
    const anna = await person()
    const { secret } = await withTotp(anna)
    const code = codeOf(secret)
    await app.client().call(api.identity.secondLogin, { ticket: await ticketFor(anna.username), code })
    const again = { ticket: await ticketFor(anna.username), code }
    expect((await app.client().raw(api.identity.secondLogin, again)).code).toBe('code.wrong')
  })

  test('five wrong codes end the ticket', async () => {
    const anna = await person()
    const { secret } = await withTotp(anna)
    const ticket = await ticketFor(anna.username)
    for (let at = 0; at < 5; at++) {
      const answer = await app.client().raw(api.identity.secondLogin, { ticket, code: '000000' })
      expect(answer.code).toBe('code.wrong')
    }
    const right = await app.client().raw(api.identity.secondLogin, { ticket, code: codeOf(secret) })
    expect(right.code).toBe('auth.ticket')
  })

  test('wrong codes count for the account', async () => {
    const strict = await startTestApp({ env: { RATE_LIMIT_CRITICAL: '3/1200' } })
    const before = app
    app = strict
    const anna = await person()
    await withTotp(anna)
    const ticket = await ticketFor(anna.username)
    for (let at = 0; at < 3; at++) await app.client().raw(api.identity.secondLogin, { ticket, code: '000000' })
    expect((await app.client().raw(api.identity.secondLogin, { ticket, code: '000000' })).status).toBe(429)
    app = before
    await strict.stop()
  })

  test('a ticket is good for five minutes', async () => {
    const anna = await person()
    const { secret } = await withTotp(anna)
    const ticket = await ticketFor(anna.username)
    app.time.now = Date.now() + 301_000
    const late = await app.client().raw(api.identity.secondLogin, { ticket, code: codeOf(secret) })
    app.time.now = null
    expect(late.code).toBe('auth.ticket')
  })

  test('each recovery code works once, and new ones replace the old', async () => {
    const anna = await person()
    const { secret, recovery } = await withTotp(anna)
    const [first = '', second = ''] = recovery
    const use = async (code: string) =>
      (await app.client().raw(api.identity.secondLogin, { ticket: await ticketFor(anna.username), code })).success
    expect(await use(first)).toBeTrue()
    expect(await use(first)).toBeFalse()
    expect((await anna.call(api.identity.secondFactor, {})).recovery_codes_left).toBe(9)
    const { recovery_codes } = await anna.call(api.identity.totpRecovery, { code: codeOf(secret) })
    expect(await use(second)).toBeFalse()
    expect(await use((recovery_codes[0] ?? '').toUpperCase())).toBeTrue()
  })

  test('is confirmed with a right code only, and removed with one', async () => {
    const anna = await person()
    expect((await anna.raw(api.identity.totpConfirm, { code: '000000' })).code).toBe('totp.missing')
    const { secret, uri } = await anna.call(api.identity.totpStart, {})
    expect(uri).toContain(`secret=${secret}`)
    expect((await anna.raw(api.identity.totpConfirm, { code: '000000' })).code).toBe('code.wrong')
    expect((await anna.call(api.identity.secondFactor, {})).totp).toBeFalse()
    expect(await app.client().call(api.auth.login, { username: anna.username, password })).toMatchObject({
      username: anna.username,
    })
    await anna.call(api.identity.totpConfirm, { code: codeOf(secret, -1) })
    expect((await anna.raw(api.identity.totpStart, {})).code).toBe('totp.exists')
    expect((await anna.raw(api.identity.totpDisable, { code: '000000' })).code).toBe('code.wrong')
    await anna.call(api.identity.totpDisable, { code: codeOf(secret) })
    expect(await anna.call(api.identity.secondFactor, {})).toEqual({ totp: false, recovery_codes_left: 0, passkeys: 0 })
  })

  test('its secret is sealed in the database', async () => {
    const anna = await person()
    const { secret, recovery } = await withTotp(anna)
    const { db } = app.ctx.database
    const rows = [
      await db.selectFrom('totp').selectAll().execute(),
      await db.selectFrom('recovery_codes').selectAll().execute(),
    ]
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(JSON.stringify(rows)).not.toContain(recovery[0] ?? '')
  })
})

async function withPasskey(client: TestClient, key: Authenticator, name = 'my key') {
  const options = await client.call(api.identity.passkeyOptions, {})
  const response = key.register(options, app.url)
  return { passkey: await client.call(api.identity.passkeyCreate, { name, response }), response }
}

async function passkeyAssertion(key: Authenticator, origin = app.url) {
  return key.sign(await app.client().call(api.identity.passkeyLoginOptions, {}), origin)
}

describe('passkeys', () => {
  test('log in without a password; an assertion counts once', async () => {
    const anna = await person()
    const key = createAuthenticator()
    const { response } = await withPasskey(anna, key)
    const assertion = await passkeyAssertion(key)
    const client = app.client()
    expect((await client.call(api.identity.passkeyLogin, { assertion })).username).toBe(anna.username)
    expect(await isIn(client)).toBeTrue()
    expect((await app.client().raw(api.identity.passkeyLogin, { assertion })).code).toBe('passkey.refused')
    expect((await anna.raw(api.identity.passkeyCreate, { name: 'again', response })).code).toBe('passkey.refused')
    expect((await app.client().call(api.status.status, {})).passkey_login).toBeTrue()
  })

  test('one alone makes the password ask for a second factor, and ends that login', async () => {
    const anna = await person()
    const key = createAuthenticator()
    await withPasskey(anna, key)
    const client = app.client()
    const due = await client.call(api.auth.login, { username: anna.username, password })
    expect(due).toMatchObject({ second_factor: ['passkey'] })
    const ticket = 'ticket' in due ? due.ticket : ''
    const early = { ticket, assertion: key.sign({ challenge: 'AAAA', rpId: '127.0.0.1' }, app.url) }
    expect((await client.raw(api.identity.secondLogin, early)).code).toBe('passkey.refused')
    const options = await client.call(api.identity.secondLoginOptions, { ticket })
    const assertion = key.sign(options, app.url)
    expect((await client.raw(api.identity.secondLogin, { ticket, assertion })).success).toBeTrue()
    expect(await isIn(client)).toBeTrue()
  })

  test("nobody ends another's login with the own key", async () => {
    const anna = await person()
    const eve = await person()
    const keyOfEve = createAuthenticator()
    await withPasskey(anna, createAuthenticator())
    await withPasskey(eve, keyOfEve)
    const ticket = await ticketFor(anna.username)
    const options = await app.client().call(api.identity.secondLoginOptions, { ticket })
    const assertion = keyOfEve.sign(options, app.url)
    expect((await app.client().raw(api.identity.secondLogin, { ticket, assertion })).success).toBeFalse()
  })

  test('a removed key, another origin and another site are refused', async () => {
    const anna = await person()
    const key = createAuthenticator()
    const { passkey } = await withPasskey(anna, key)
    const elsewhere = await passkeyAssertion(key, 'https://evil.example')
    expect((await app.client().raw(api.identity.passkeyLogin, { assertion: elsewhere })).code).toBe('passkey.refused')
    const options = await app.client().call(api.identity.passkeyLoginOptions, {})
    const other = key.sign({ ...options, rpId: 'evil.example' }, app.url)
    expect((await app.client().raw(api.identity.passkeyLogin, { assertion: other })).code).toBe('passkey.refused')
    await anna.call(api.identity.passkeyRemove, { id: passkey.id })
    const gone = { assertion: await passkeyAssertion(key) }
    expect((await app.client().raw(api.identity.passkeyLogin, gone)).code).toBe('passkey.unknown')
  })

  test('are named, listed, renamed and removed by their owner alone', async () => {
    const anna = await person()
    const { passkey } = await withPasskey(anna, createAuthenticator(), 'phone')
    await withPasskey(anna, createAuthenticator(), 'laptop')
    const { list, total } = await anna.call(api.identity.passkeys, {})
    expect(list.map(({ name }) => name)).toEqual(['laptop', 'phone'])
    expect(total).toBe(2)
    expect((await anna.call(api.identity.passkeyRename, { id: passkey.id, name: 'old phone' })).name).toBe('old phone')
    const eve = await person()
    expect((await eve.raw(api.identity.passkeyRename, { id: passkey.id, name: 'mine' })).code).toBe('passkey.not_found')
    expect((await eve.raw(api.identity.passkeyRemove, { id: passkey.id })).code).toBe('passkey.not_found')
  })

  test('are for the host of ServerAddress where one is set', async () => {
    await setOptions(app, { ServerAddress: 'https://yard.example' })
    const anna = await person()
    expect(await anna.call(api.identity.passkeyOptions, {})).toMatchObject({ rp: { id: 'yard.example' } })
    await setOptions(app, { ServerAddress: '' })
  })
})

describe('a lost second factor', () => {
  test('is cleared by the super administrator alone', async () => {
    const root = await person('root')
    const admin = await person('admin')
    const anna = await person()
    await withTotp(anna)
    const clear = { username: anna.username, action: 'clear_second_factor' as const }
    expect((await admin.raw(api.users.manage, clear)).status).toBe(403)
    await root.call(api.users.manage, clear)
    expect((await anna.call(api.identity.secondFactor, {})).totp).toBeFalse()
    const [entry] = (await root.call(api.history.list, { kind: 'user', target: anna.username })).list
    expect(entry).toMatchObject({ undoable: false, why_not_code: 'history.final_second_factor' })
  })
})

describe('AdminSecondFactorRequired', () => {
  test('is refused to someone without a factor, and keeps administrators without one to their account', async () => {
    const root = await person('root')
    const change = { key: 'AdminSecondFactorRequired', value: 'true' }
    expect((await root.raw(api.options.update, change)).code).toBe('auth.no_second_factor')
    await withTotp(root)
    await root.call(api.options.update, change)
    const admin = await person('admin')
    const token = await admin.call(api.account.accessToken, {})
    const refused = await admin.raw(api.channels.list, {})
    expect(refused).toMatchObject({ status: 403, code: 'auth.second_factor_required' })
    expect(refused.message).toContain('AdminSecondFactorRequired')
    expect((await admin.raw(api.tokens.list, {})).status).toBe(403)
    expect((await app.client({ authorization: token }).raw(api.channels.list, {})).status).toBe(403)
    expect(await isIn(admin)).toBeTrue()
    expect(await isIn(await person())).toBeTrue()
    await withTotp(admin)
    expect((await admin.raw(api.channels.list, {})).success).toBeTrue()
    expect((await root.raw(api.channels.list, {})).success).toBeTrue()
    await setOptions(app, { AdminSecondFactorRequired: 'false' })
  })
})

describe('sessions', () => {
  const enter = async (username: string, agent: string) => {
    const client = app.client({ 'user-agent': agent })
    await client.call(api.auth.login, { username, password })
    return client
  }
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

  test('are listed with device and address, and ended one by one or all others at once', async () => {
    const anna = await person()
    const one = await enter(anna.username, firefox)
    const two = await enter(anna.username, 'curl/8.5.0')
    const { list } = await one.call(api.sessions.list, {})
    expect(list).toHaveLength(3)
    expect(list.filter(({ current }) => current)).toMatchObject([{ device: 'Firefox, Linux', address: '127.0.0.1' }])
    const id = list.find(({ device }) => device === 'curl')?.id ?? ''
    const eve = await person()
    expect((await eve.raw(api.sessions.remove, { id })).code).toBe('session.not_found')
    await one.call(api.sessions.remove, { id })
    expect(await isIn(two)).toBeFalse()
    expect(await one.call(api.sessions.removeOthers, {})).toBe(1)
    expect(await isIn(anna)).toBeFalse()
    expect(await isIn(one)).toBeTrue()
    expect(JSON.stringify(list)).not.toContain(one.cookie.split('=')[1] ?? '')
  })

  test('a login from a new device sends a mail, from a known one none', async () => {
    const mail = await startMailServer()
    await setOptions(app, mail.options)
    const anna = await person('user', 'anna@new.example')
    await enter(anna.username, firefox)
    await enter(anna.username, firefox)
    await enter(anna.username, 'curl/8.5.0')
    const { body, to } = await mail.next()
    expect(body).toContain('curl')
    expect(to).toEqual(['anna@new.example'])
    expect(mail.inbox).toHaveLength(1)
    await setOptions(app, { SMTPServer: '' })
    await mail.stop()
  })
})
