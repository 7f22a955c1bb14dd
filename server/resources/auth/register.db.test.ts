import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { type MailServer, startMailServer } from '#server/testing/mail-server.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { accountApi } from '#shared/api/account.ts'
import { authApi } from '#shared/api/auth.ts'
import type { ArgsOf } from '#shared/contract.ts'

let app: TestApp
let mailbox: MailServer
const turnstile = { seen: [] as string[], answer: { success: true } as unknown, status: 200 }
const checker = Bun.serve({
  port: 0,
  async fetch(request) {
    turnstile.seen.push(await request.text())
    return Response.json(turnstile.answer, { status: turnstile.status })
  },
})

beforeAll(async () => {
  app = await startTestApp({ env: { TURNSTILE_URL: `http://127.0.0.1:${checker.port}/verify` } })
  mailbox = await startMailServer()
})
afterAll(async () => {
  await app.stop()
  await mailbox.stop()
  await checker.stop(true)
})
beforeEach(() =>
  setOptions(app, {
    ...mailbox.options,
    RegisterEnabled: 'true',
    PasswordRegisterEnabled: 'true',
    EmailVerificationEnabled: 'false',
    EmailDomainRestrictionEnabled: 'false',
    EmailDomainWhitelist: 'example.com',
    TurnstileCheckEnabled: 'false',
    TurnstileSecretKey: 'turnstile-secret',
    QuotaForNewUser: '0',
    QuotaForInviter: '0',
    QuotaForInvitee: '0',
  }),
)

const register = (registration: ArgsOf<typeof authApi.register>) => app.client().raw(authApi.register, registration)
const password = 'a password'
const row = (username: string) =>
  app.ctx.database.db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst()
const logsOf = async (userId: number) => {
  const rows = await app.ctx.database.db.selectFrom('logs').selectAll().where('user_id', '=', userId).execute()
  return rows.map(({ type, content }) => ({ type, content }))
}
const codeFor = async (email: string): Promise<string> => {
  await app.client().call(authApi.verification, { email })
  return /([2-9A-Z]{6})<\/strong>/.exec((await mailbox.next()).body)?.[1] ?? ''
}

describe('registration', () => {
  test('makes an ordinary user that is not logged in yet', async () => {
    const client = app.client()
    const answer = await client.raw(authApi.register, { username: 'anna', password, password2: password })
    expect(answer).toEqual({ status: 200, success: true, message: '' })
    expect(client.cookie).toBe('')
    expect(await row('anna')).toMatchObject({
      display_name: 'anna',
      role: 1,
      status: 1,
      group: 'default',
      quota: 0,
      email: '',
      inviter_id: 0,
      access_token_hash: '',
    })
    expect((await row('anna'))?.aff_code).toMatch(/^\w{4}$/)
    await client.call(authApi.login, { username: 'anna', password })
  })

  test('keeps no address nobody has proven', async () => {
    await register({ username: 'unproven', password, email: 'someone@example.com' })
    expect((await row('unproven'))?.email).toBe('')
  })

  test('gives what is due to the newcomer and to who invited, with a row each', async () => {
    const inviter = await signIn(app)
    const aff_code = await inviter.call(accountApi.affiliateCode, {})
    await setOptions(app, { QuotaForNewUser: '1000', QuotaForInviter: '300', QuotaForInvitee: '20' })
    await register({ username: 'invited', password, aff_code })
    const invited = await row('invited')
    expect(invited).toMatchObject({ quota: 1020, inviter_id: inviter.userId })
    expect(await inviter.call(accountApi.self, {})).toMatchObject({ quota: 300 })
    expect(await logsOf(invited?.id ?? 0)).toEqual([
      { type: 4, content: 'gift for a new registration: $0.002000' },
      { type: 4, content: 'gift for using an invitation code: $0.000040' },
    ])
    expect(await logsOf(inviter.userId)).toEqual([{ type: 4, content: 'gift for inviting a user: $0.000600' }])
    expect(await reconcile(app.ctx.database.db)).toEqual([])
  })

  test('ignores an unknown invitation code', async () => {
    expect((await register({ username: 'uninvited', password, aff_code: 'nope' })).success).toBe(true)
    expect((await row('uninvited'))?.inviter_id).toBe(0)
    const mangled = `${'nope'.repeat(20)}&utm_source=chat`
    expect((await register({ username: 'uninvited2', password, aff_code: mangled })).success).toBe(true)
  })

  test('of one name by many at once makes one user', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => register({ username: 'crowd', password })))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    const refused = answers.filter(({ success }) => !success)
    expect(new Set(refused.map(({ message }) => message))).toEqual(new Set(['The username is taken']))
  })

  test.each([
    ['a short password', { username: 'p', password: 'seven77' }, 'password length must not be less than 8'],
    ['a long password', { username: 'p', password: 'x'.repeat(21) }, 'password length must not be more than 20'],
    ['two passwords', { username: 'p', password, password2: 'other pass' }, 'the two passwords entered do not match'],
    ['no name', { username: ' ', password }, 'username is required'],
    ['a long name', { username: 'thirteen-long', password }, 'username must be at most 12 characters'],
    ['a name with markup', { username: '<b>', password }, 'username must not contain'],
    ['the name of another', { username: 'root', password }, 'The username is taken'],
  ])('with %s is refused', async (_, registration, message) => {
    const answer = await register(registration)
    expect(answer.success).toBe(false)
    expect(answer.message).toContain(message)
  })

  test.each([
    ['name', { password }, 'username is required'],
    ['password', { username: 'p' }, 'password is required'],
  ])('without a %s says so', async (_, body, message) => {
    const answer = await app.client().fetch('/api/user/register', { method: 'POST', body: JSON.stringify(body) })
    expect(await answer.json()).toMatchObject({ success: false, message })
  })

  test('counts characters, not bytes', async () => {
    expect((await register({ username: '十二个字符的用户名字真好', password: '八个字的密码真好' })).success).toBe(true)
  })

  test('refuses fields that are not its own', async () => {
    const body = JSON.stringify({ username: 'climber', password, role: 100, quota: 1_000_000 })
    const answer = await app.client().fetch('/api/user/register', { method: 'POST', body })
    expect(await answer.json()).toMatchObject({ success: false })
    expect(await row('climber')).toBeUndefined()
  })

  test('is closed by either switch', async () => {
    await setOptions(app, { PasswordRegisterEnabled: 'false' })
    expect((await register({ username: 'late', password })).message).toContain('closed registration by password')
    await setOptions(app, { RegisterEnabled: 'false' })
    expect((await register({ username: 'late', password })).message).toBe('The administrator has closed registration')
    expect(await row('late')).toBeUndefined()
  })
})

describe('the human check', () => {
  beforeEach(() => setOptions(app, { TurnstileCheckEnabled: 'true' }))

  test('asks the service with secret, token and address, anew each time', async () => {
    turnstile.answer = { success: true }
    turnstile.seen = []
    await register({ username: 'human', password, turnstile: 'solved' })
    expect(await row('human')).toBeDefined()
    expect(turnstile.seen).toEqual(['secret=turnstile-secret&response=solved&remoteip=127.0.0.1'])
    await register({ username: 'human2', password, turnstile: 'solved' })
    expect(turnstile.seen).toHaveLength(2)
  })

  test.each([
    ['without a token', undefined, { success: true }, 'Turnstile token is empty'],
    ['with a token refused', 'wrong', { success: false }, 'Turnstile check failed, please refresh and retry'],
    ['with an odd answer', 'odd', 'true', 'Turnstile check failed, please refresh and retry'],
  ])('refuses %s', async (_, token, answer, message) => {
    turnstile.answer = answer
    const args = token === undefined ? {} : { turnstile: token }
    expect((await register({ username: 'robot', password, ...args })).message).toBe(message)
    expect((await app.client().raw(authApi.verification, { email: 'r@example.com', ...args })).message).toBe(message)
    expect((await app.client().raw(authApi.resetRequest, { email: 'r@example.com', ...args })).message).toBe(message)
    expect(await row('robot')).toBeUndefined()
  })

  test('does not blame a person for a fault of the service', async () => {
    turnstile.answer = { error: 'overloaded' }
    turnstile.status = 503
    const refused = await register({ username: 'person', password, turnstile: 'solved' })
    turnstile.status = 200
    expect(refused.message).toBe('The human check could not be verified, please retry')
    expect(await row('person')).toBeUndefined()
  })
})

describe('registration with a proven address', () => {
  beforeEach(() => setOptions(app, { EmailVerificationEnabled: 'true' }))

  test('keeps the address, in lower case, and uses the code up', async () => {
    const verification_code = await codeFor('Dora@Example.com')
    const email = 'dora@example.com'
    expect((await register({ username: 'dora', password, email, verification_code })).success).toBe(true)
    expect((await row('dora'))?.email).toBe(email)
    const again = await register({ username: 'dora2', password, email, verification_code })
    expect(again.message).toBe('The code is wrong or has expired')
  })

  test('gives the code back when the name is taken', async () => {
    const email = 'emil@example.com'
    const verification_code = await codeFor(email)
    const taken = await register({ username: 'root', password, email, verification_code })
    expect(taken.message).toBe('The username is taken')
    const typed = verification_code.toLowerCase()
    expect((await register({ username: 'emil', password, email, verification_code: typed })).success).toBe(true)
  })

  test('one code, used by many at once, makes one user', async () => {
    const email = 'many@example.com'
    const verification_code = await codeFor(email)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => register({ username: `many${at}`, password, email, verification_code })),
    )
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
  })

  test('is refused without address or code, and outside the whitelist', async () => {
    const needed = 'Email verification is on; please enter address and code'
    expect((await register({ username: 'none', password })).message).toBe(needed)
    expect((await register({ username: 'none', password, email: 'n@example.com' })).message).toBe(needed)
    const verification_code = await codeFor('n@elsewhere.com')
    await setOptions(app, { EmailDomainRestrictionEnabled: 'true' })
    const outside = await register({ username: 'none', password, email: 'n@elsewhere.com', verification_code })
    expect(outside.message).toContain('your domain is not on it')
    expect(await row('none')).toBeUndefined()
  })
})
