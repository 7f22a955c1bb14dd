import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { transact } from '#server/db/transact.ts'
import { revokeAccess } from '#server/http/session.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { codeOf, isIn, password, person, ticketFor, whileReplaced, withTotp } from '#server/testing/identity-scene.ts'
import { startMailServer } from '#server/testing/mail-server.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

describe('an authenticator app', () => {
  test('is asked for after the password, and a code ends the login', async () => {
    const anna = await person(app)
    const { secret, recovery } = await withTotp(app, anna)
    expect(recovery).toHaveLength(10)
    expect(await anna.call(api.identity.secondFactor, {})).toEqual({ totp: true, recovery_codes_left: 10, passkeys: 0 })
    const client = app.client()
    const due = await client.call(api.auth.login, { username: anna.username, password })
    expect(due).toMatchObject({ second_factor: ['totp'] })
    expect(await isIn(client)).toBeFalse()
    const ticket = 'ticket' in due ? due.ticket : ''
    const user = await client.call(api.identity.secondLogin, { ticket, code: codeOf(app, secret) })
    expect(user.username).toBe(anna.username)
    expect(await isIn(client)).toBeTrue()
    expect((await client.raw(api.identity.secondLogin, { ticket, code: codeOf(app, secret) })).code).toBe('auth.ticket')
  })

  test('a code counts once, also in another login', async () => {
    const anna = await person(app)
    const { secret } = await withTotp(app, anna)
    const code = codeOf(app, secret)
    await app.client().call(api.identity.secondLogin, { ticket: await ticketFor(app, anna.username), code })
    const again = { ticket: await ticketFor(app, anna.username), code }
    expect((await app.client().raw(api.identity.secondLogin, again)).code).toBe('code.wrong')
  })

  test('five wrong codes end the ticket', async () => {
    const anna = await person(app)
    const { secret } = await withTotp(app, anna)
    const ticket = await ticketFor(app, anna.username)
    for (let at = 0; at < 5; at++) {
      const answer = await app.client().raw(api.identity.secondLogin, { ticket, code: '000000' })
      expect(answer.code).toBe('code.wrong')
    }
    const right = await app.client().raw(api.identity.secondLogin, { ticket, code: codeOf(app, secret) })
    expect(right.code).toBe('auth.ticket')
  })

  test('wrong codes count for the account', async () => {
    const strict = await startTestApp({ env: { RATE_LIMIT_CRITICAL: '3/1200' } })
    const before = app
    app = strict
    const anna = await person(app)
    await withTotp(app, anna)
    const ticket = await ticketFor(app, anna.username)
    for (let at = 0; at < 3; at++) await app.client().raw(api.identity.secondLogin, { ticket, code: '000000' })
    expect((await app.client().raw(api.identity.secondLogin, { ticket, code: '000000' })).status).toBe(429)
    app = before
    await strict.stop()
  })

  test('many codes at once are no more tries than one after the other', async () => {
    const strict = await startTestApp({ env: { RATE_LIMIT_CRITICAL: '3/1200' } })
    const anna = await person(strict)
    const { secret } = await withTotp(strict, anna)
    const tickets = await Promise.all(Array.from({ length: 8 }, () => ticketFor(strict, anna.username)))
    const guesses = tickets.flatMap((ticket) => Array.from({ length: 4 }, () => ({ ticket, code: '000000' })))
    const answers = await Promise.all(guesses.map((guess) => strict.client().raw(api.identity.secondLogin, guess)))
    expect(answers.filter(({ code }) => code === 'code.wrong')).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(guesses.length - 3)
    const right = { ticket: tickets[0] ?? '', code: codeOf(strict, secret) }
    expect((await strict.client().raw(api.identity.secondLogin, right)).status).toBe(429)
    await strict.stop()
  })

  test('guesses of others lock nobody out of the second step who came from there before', async () => {
    const strict = await startTestApp({ env: { RATE_LIMIT_CRITICAL: '3/1200', TRUST_PROXY: '1' } })
    const anna = await person(strict)
    const { secret } = await withTotp(strict, anna)
    const from = (address: string) => strict.client({ 'x-forwarded-for': address })
    const enter = async (address: string, offset: number) => {
      const due = await from(address).call(api.auth.login, { username: anna.username, password })
      const ticket = 'ticket' in due ? due.ticket : ''
      return from(address).raw(api.identity.secondLogin, { ticket, code: codeOf(strict, secret, offset) })
    }
    strict.time.now = Date.now()
    expect((await enter('10.0.0.1', 0)).success).toBeTrue()
    for (const last of [2, 3, 4, 5]) {
      await from(`10.0.0.${last}`).raw(api.auth.login, { username: anna.username, password: 'a guess' })
    }
    strict.time.now += 60_000
    expect((await enter('10.0.0.1', 0)).success).toBeTrue()
    strict.time.now += 60_000
    const home = Object.assign(from('10.0.0.1'), { cookie: anna.cookie })
    expect((await home.raw(api.identity.totpDisable, { code: codeOf(strict, secret) })).success).toBeTrue()
    await strict.stop()
  })

  test('a ticket is good for five minutes', async () => {
    const anna = await person(app)
    const { secret } = await withTotp(app, anna)
    const ticket = await ticketFor(app, anna.username)
    app.time.now = Date.now() + 301_000
    const late = await app.client().raw(api.identity.secondLogin, { ticket, code: codeOf(app, secret) })
    app.time.now = null
    expect(late.code).toBe('auth.ticket')
  })

  test('a new password ends the logins that wait for a code', async () => {
    const anna = await person(app)
    const { secret } = await withTotp(app, anna)
    const ticket = await ticketFor(app, anna.username)
    await anna.call(api.account.update, { password: 'another password' })
    const answer = await app.client().raw(api.identity.secondLogin, { ticket, code: codeOf(app, secret) })
    expect(answer.code).toBe('auth.ticket')
  })

  test('a login that is being ended while the password is replaced lets nobody in', async () => {
    const anna = await person(app)
    const { secret } = await withTotp(app, anna)
    const ticket = await ticketFor(app, anna.username)
    const thief = app.client()
    const ended = await transact(app.ctx, async (tx) => {
      await tx.updateTable('users').set({ password_hash: 'another' }).where('id', '=', anna.userId).execute()
      const login = thief.raw(api.identity.secondLogin, { ticket, code: codeOf(app, secret) })
      await Bun.sleep(100)
      await revokeAccess(tx, anna.userId, null)
      return { login }
    })
    expect((await ended.login).success).toBe(false)
    expect(await isIn(thief)).toBe(false)
  })

  test('none is set up, and no recovery codes are made, by a session that a new password has ended', async () => {
    const anna = await person(app)
    const { secret } = await anna.call(api.identity.totpStart, {})
    const confirming = () => anna.raw(api.identity.totpConfirm, { code: codeOf(app, secret) })
    expect((await whileReplaced(app, anna, confirming)).status).toBe(401)
    const bert = await person(app)
    const { secret: own } = await withTotp(app, bert)
    const renewing = () => bert.raw(api.identity.totpRecovery, { code: codeOf(app, own) })
    expect((await whileReplaced(app, bert, renewing)).status).toBe(401)
  })

  test('each recovery code works once, and new ones replace the old', async () => {
    const anna = await person(app)
    const { secret, recovery } = await withTotp(app, anna)
    const [first = '', second = ''] = recovery
    const use = async (code: string) =>
      (await app.client().raw(api.identity.secondLogin, { ticket: await ticketFor(app, anna.username), code })).success
    expect(await use(first)).toBeTrue()
    expect(await use(first)).toBeFalse()
    expect((await anna.call(api.identity.secondFactor, {})).recovery_codes_left).toBe(9)
    const { recovery_codes } = await anna.call(api.identity.totpRecovery, { code: codeOf(app, secret) })
    expect(await use(second)).toBeFalse()
    expect(await use((recovery_codes[0] ?? '').toUpperCase())).toBeTrue()
  })

  test('is confirmed with a right code only, and removed with one', async () => {
    const anna = await person(app)
    expect((await anna.raw(api.identity.totpConfirm, { code: '000000' })).code).toBe('totp.missing')
    const { secret, uri } = await anna.call(api.identity.totpStart, {})
    expect(uri).toContain(`secret=${secret}`)
    expect((await anna.raw(api.identity.totpConfirm, { code: '000000' })).code).toBe('code.wrong')
    expect((await anna.call(api.identity.secondFactor, {})).totp).toBeFalse()
    expect(await app.client().call(api.auth.login, { username: anna.username, password })).toMatchObject({
      username: anna.username,
    })
    await anna.call(api.identity.totpConfirm, { code: codeOf(app, secret, -1) })
    expect((await anna.raw(api.identity.totpStart, {})).code).toBe('totp.exists')
    expect((await anna.raw(api.identity.totpDisable, { code: '000000' })).code).toBe('code.wrong')
    await anna.call(api.identity.totpDisable, { code: codeOf(app, secret) })
    expect(await anna.call(api.identity.secondFactor, {})).toEqual({ totp: false, recovery_codes_left: 0, passkeys: 0 })
  })

  test('its secret is sealed in the database', async () => {
    const anna = await person(app)
    const { secret, recovery } = await withTotp(app, anna)
    const { db } = app.ctx.database
    const rows = [
      await db.selectFrom('totp').selectAll().execute(),
      await db.selectFrom('recovery_codes').selectAll().execute(),
    ]
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(JSON.stringify(rows)).not.toContain(recovery[0] ?? '')
  })
})

describe('a lost second factor', () => {
  test('is cleared by the super administrator alone', async () => {
    const root = await person(app, 'root')
    const admin = await person(app, 'admin')
    const anna = await person(app)
    await withTotp(app, anna)
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
    const root = await person(app, 'root')
    const change = { key: 'AdminSecondFactorRequired', value: 'true' }
    expect((await root.raw(api.options.update, change)).code).toBe('auth.no_second_factor')
    await withTotp(app, root)
    await root.call(api.options.update, change)
    const admin = await person(app, 'admin')
    const token = await admin.call(api.account.accessToken, {})
    const refused = await admin.raw(api.channels.list, {})
    expect(refused).toMatchObject({ status: 403, code: 'auth.second_factor_required' })
    expect(refused.message).toContain('AdminSecondFactorRequired')
    expect((await admin.raw(api.tokens.list, {})).status).toBe(403)
    expect((await app.client({ authorization: token }).raw(api.channels.list, {})).status).toBe(403)
    expect(await isIn(admin)).toBeTrue()
    expect(await isIn(await person(app))).toBeTrue()
    await withTotp(app, admin)
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
    const anna = await person(app)
    const one = await enter(anna.username, firefox)
    const two = await enter(anna.username, 'curl/8.5.0')
    const { list } = await one.call(api.sessions.list, {})
    expect(list).toHaveLength(3)
    expect(list.filter(({ current }) => current)).toMatchObject([{ device: 'Firefox, Linux', address: '127.0.0.1' }])
    const id = list.find(({ device }) => device === 'curl')?.id ?? ''
    const eve = await person(app)
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
    const anna = await person(app, 'user', 'anna@new.example')
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
