import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { transact } from '#server/db/transact.ts'
import { revokeAccess } from '#server/http/session.ts'
import { hashPassword } from '#server/lib/passwords.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type MailServer, startMailServer } from '#server/testing/mail-server.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { enterAs, type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { accountApi } from '#shared/api/account.ts'
import { authApi } from '#shared/api/auth.ts'

let app: TestApp
let mailbox: MailServer

beforeAll(async () => {
  app = await borrowApp()
  mailbox = await startMailServer()
})
afterAll(async () => {
  await app.stop()
  await mailbox.stop()
})
beforeEach(async () => {
  app.time.now = null
  await setOptions(app, { ...mailbox.options, EmailDomainRestrictionEnabled: 'false', ServerAddress: '' })
})

const later = (minutes: number) => Object.assign(app.time, { now: Date.now() + minutes * 60_000 })
const withEmail = async (email: string): Promise<SignedIn> => {
  const person = await signIn(app)
  await app.ctx.database.db.updateTable('users').set({ email }).where('id', '=', person.userId).execute()
  return person
}
const codeFor = async (email: string): Promise<string> => {
  await app.client().call(authApi.verification, { email })
  return /([2-9A-Z]{6})<\/strong>/.exec((await mailbox.next()).body)?.[1] ?? ''
}
const linkFor = async (email: string, headers: Record<string, string> = {}): Promise<string> => {
  await app.client(headers).call(authApi.resetRequest, { email })
  const shown = /<code>([^<]+)<\/code>/.exec((await mailbox.next()).body)?.[1] ?? ''
  return shown.replaceAll('&amp;', '&')
}
const tokenFor = async (email: string) =>
  new URL(await linkFor(email), 'http://relay.test').searchParams.get('token') ?? ''
const wrongCode = 'The code is wrong or has expired'
const wrongLink = 'The reset link is invalid or has expired'

describe('a verification code', () => {
  test('is six letters and digits, and not in the database in clear', async () => {
    const code = await codeFor('new@example.com')
    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{6}$/)
    const stored = await app.ctx.database.db.selectFrom('codes').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(code)
  })

  test('for a taken address answers as for a free one; the mail warns its owner', async () => {
    await withEmail('taken@example.com')
    const answers = []
    for (const email of ['taken@example.com', 'free@example.com']) {
      answers.push(await app.client().raw(authApi.verification, { email }))
    }
    expect(answers[0]).toEqual(answers[1] ?? answers[0])
    const mail = await mailbox.next()
    expect(mail.to).toEqual(['taken@example.com'])
    expect(mail.body).toContain('already has an account')
    await mailbox.next()
  })

  test('goes to whitelisted domains alone', async () => {
    await setOptions(app, { EmailDomainRestrictionEnabled: 'true', EmailDomainWhitelist: 'example.com' })
    for (const email of ['a@elsewhere.com', 'a@notexample.com', 'a@example.com.evil.org', 'a@sub.example.com']) {
      const answer = await app.client().raw(authApi.verification, { email })
      expect(answer.message).toContain('your domain is not on it')
    }
    expect(await codeFor('a@EXAMPLE.com')).not.toBe('')
  })

  test.each(['', 'no-address', 'a@b', 'a@example.com\r\nBcc: b@example.com', 'a@example.com,b@example.com'])(
    'is not sent to %j',
    async (email) => {
      const before = mailbox.inbox.length
      expect((await app.client().raw(authApi.verification, { email })).success).toBe(false)
      expect(mailbox.inbox).toHaveLength(before)
    },
  )

  test('is refused when mail is not set up or fails', async () => {
    await setOptions(app, { SMTPPort: '1' })
    const failed = await app.client().raw(authApi.verification, { email: 'x@example.com' })
    expect(failed.message).toBe('The mail could not be sent; please tell the administrator')
    await setOptions(app, { SMTPServer: '' })
    const unset = await app.client().raw(authApi.verification, { email: 'x@example.com' })
    expect(unset.message).toBe('Mail is not set up; please tell the administrator')
  })
})

describe('binding an address', () => {
  test('needs its code, once', async () => {
    const anna = await signIn(app)
    const email = 'anna@example.com'
    const code = await codeFor(email)
    await anna.call(authApi.emailBind, { email, code })
    expect((await anna.call(accountApi.self, {})).email).toBe(email)
    const bert = await signIn(app)
    expect((await bert.raw(authApi.emailBind, { email, code })).message).toBe(wrongCode)
  })

  test('refuses a code of another address, an old one, and one replaced', async () => {
    const anna = await signIn(app)
    const email = 'one@example.com'
    const [code, newer] = [await codeFor(email), await codeFor(email)]
    expect((await anna.raw(authApi.emailBind, { email: 'two@example.com', code: newer })).message).toBe(wrongCode)
    expect((await anna.raw(authApi.emailBind, { email, code })).message).toBe(wrongCode)
    later(10)
    const { message } = await (await signIn(app)).raw(authApi.emailBind, { email, code: newer })
    expect(message).toBe(wrongCode)
  })

  test('refuses even the right code after five wrong ones, also at once', async () => {
    const anna = await signIn(app)
    const email = 'guessed@example.com'
    const code = await codeFor(email)
    await Promise.all(Array.from({ length: 5 }, () => anna.raw(authApi.emailBind, { email, code: 'WRONG2' })))
    expect((await anna.raw(authApi.emailBind, { email, code })).message).toBe(wrongCode)
  })

  test('refuses an address taken meanwhile', async () => {
    const email = 'late@example.com'
    const code = await codeFor(email)
    await withEmail(email)
    const anna = await signIn(app)
    expect((await anna.raw(authApi.emailBind, { email, code })).message).toBe('The email address is taken')
  })

  test('is the first one only; changing it takes the password, and both addresses get a mail', async () => {
    const before = 'mine@example.com'
    const attackers = 'evil@example.com'
    const anna = await withEmail(before)
    const hash = await hashPassword('password-anna')
    await app.ctx.database.db.updateTable('users').set({ password_hash: hash }).where('id', '=', anna.userId).execute()
    const code = await codeFor(attackers)
    expect((await anna.raw(authApi.emailBind, { email: attackers, code })).code).toBe('email.password_needed')
    const change = { email: attackers, code, password: 'a-wrong-one' }
    expect((await anna.raw(authApi.emailChange, change)).code).toBe('email.wrong_password')
    expect((await anna.call(accountApi.self, {})).email).toBe(before)
    await anna.call(authApi.emailChange, { ...change, password: 'password-anna' })
    expect((await anna.call(accountApi.self, {})).email).toBe(attackers)
    const mails = [await mailbox.next(), await mailbox.next()]
    expect(mails.flatMap(({ to }) => to).sort()).toEqual([attackers, before])
    for (const { body } of mails) expect(body).toContain(attackers)
  })

  test('takes more than a session that began some time ago, which may be stolen', async () => {
    const anna = await signIn(app)
    const password_hash = await hashPassword('password-anna')
    await app.ctx.database.db.updateTable('users').set({ password_hash }).where('id', '=', anna.userId).execute()
    const bert = await signIn(app)
    later(11)
    const first = { email: 'first@example.com', code: await codeFor('first@example.com') }
    expect((await anna.raw(authApi.emailBind, first)).code).toBe('email.password_needed')
    expect((await bert.raw(authApi.emailBind, first)).code).toBe('auth.login_needed')
    expect((await anna.call(accountApi.self, {})).email).toBe('')
    await anna.call(authApi.emailChange, { ...first, password: 'password-anna' })
    expect((await anna.call(accountApi.self, {})).email).toBe(first.email)
    const other = { email: 'other@example.com', code: await codeFor('other@example.com') }
    await (await enterAs(app, bert.userId)).call(authApi.emailBind, other)
    expect((await bert.call(accountApi.self, {})).email).toBe(other.email)
  })

  test('stays when the password that was shown is replaced meanwhile', async () => {
    const anna = await withEmail('owner@example.com')
    const password_hash = await hashPassword('password-old')
    await app.ctx.database.db.updateTable('users').set({ password_hash }).where('id', '=', anna.userId).execute()
    const change = { email: 'thief@example.com', code: await codeFor('thief@example.com'), password: 'password-old' }
    const { answer } = await transact(app.ctx, async (tx) => {
      await tx.updateTable('users').set({ password_hash: 'the new one' }).where('id', '=', anna.userId).execute()
      await revokeAccess(tx, anna.userId, null)
      const answer = anna.raw(authApi.emailChange, change)
      await Bun.sleep(100)
      return { answer }
    })
    expect((await answer).status).toBe(401)
  })

  test('may be replaced without a password where the account has none', async () => {
    const anna = await withEmail('github-user@example.com')
    const code = await codeFor('another@example.com')
    await anna.call(authApi.emailBind, { email: 'another@example.com', code })
    expect((await mailbox.next()).body).toContain('another@example.com')
    await mailbox.next()
  })

  test('holds to the whitelist', async () => {
    const code = await codeFor('a@elsewhere.com')
    await setOptions(app, { EmailDomainRestrictionEnabled: 'true', EmailDomainWhitelist: 'example.com' })
    const answer = await (await signIn(app)).raw(authApi.emailBind, { email: 'a@elsewhere.com', code })
    expect(answer.message).toContain('your domain is not on it')
  })

  test('cannot be set off from another site', async () => {
    const anna = await signIn(app)
    const path = '/api/oauth/email/bind?email=evil%40example.com&code=ABCDEF'
    expect((await anna.fetch(path, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
    expect((await anna.fetch(path, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
  })
})

describe('resetting a password', () => {
  test('answers the same for known and unknown addresses; only the known gets a mail', async () => {
    await withEmail('known@example.com')
    const before = mailbox.inbox.length
    const unknown = await app.client().raw(authApi.resetRequest, { email: 'unknown@example.com' })
    const known = await app.client().raw(authApi.resetRequest, { email: 'known@example.com' })
    expect(known).toEqual(unknown)
    expect((await mailbox.next()).to).toEqual(['known@example.com'])
    expect(mailbox.inbox).toHaveLength(before + 1)
  })

  test('sets a new password for that account alone, ends its sessions and access token, and works once', async () => {
    const anna = await withEmail('a+b@example.com')
    const bert = await withEmail('bert@example.com')
    const accessToken = await anna.call(accountApi.accessToken, {})
    const token = await tokenFor('a+b@example.com')
    const password = await app.client().call(authApi.reset, { email: 'a+b@example.com', token })
    expect(password).toMatch(/^\w{12}$/)
    expect((await anna.raw(accountApi.self, {})).status).toBe(401)
    expect((await app.client({ authorization: accessToken }).raw(accountApi.self, {})).status).toBe(401)
    expect((await bert.raw(accountApi.self, {})).success).toBe(true)
    await app.client().call(authApi.login, { username: 'a+b@example.com', password })
    const again = await app.client().raw(authApi.reset, { email: 'a+b@example.com', token })
    expect(again.message).toBe(wrongLink)
  })

  test('refuses wrong, foreign and old tokens', async () => {
    await withEmail('one@reset.org')
    await withEmail('two@reset.org')
    const token = await tokenFor('one@reset.org')
    const reset = (email: string, with_: string) => app.client().raw(authApi.reset, { email, token: with_ })
    expect((await reset('two@reset.org', token)).message).toBe(wrongLink)
    expect((await reset('one@reset.org', 'f'.repeat(32))).message).toBe(wrongLink)
    expect((await reset('one@reset.org', '')).success).toBe(false)
    later(10)
    expect((await reset('one@reset.org', token)).message).toBe(wrongLink)
  })

  test('a verification code is no reset token', async () => {
    const code = await codeFor('cross@example.com')
    await withEmail('cross@example.com')
    const answer = await app.client().raw(authApi.reset, { email: 'cross@example.com', token: code })
    expect(answer.message).toBe(wrongLink)
  })

  test('one token, used by many at once, gives one password', async () => {
    await withEmail('race@example.com')
    const token = await tokenFor('race@example.com')
    const tries = Array.from({ length: 8 }, () => app.client().raw(authApi.reset, { email: 'race@example.com', token }))
    expect((await Promise.all(tries)).filter(({ success }) => success)).toHaveLength(1)
  })

  test('links to the server address with everything in it escaped', async () => {
    await setOptions(app, { ServerAddress: 'https://relay.example' })
    await withEmail('link+a@example.com')
    const link = await linkFor('link+a@example.com', { host: 'evil.example' })
    expect(link).toMatch(/^https:\/\/relay\.example\/user\/reset\?email=link%2Ba%40example\.com&token=[0-9a-f]{32}$/)
  })

  test('never links to where the request claims to have been sent', async () => {
    await withEmail('host@example.com')
    expect(await linkFor('host@example.com')).toStartWith(`${app.url}/user/reset?`)
    const claims = { host: 'evil.example', 'x-forwarded-host': 'evil.example', origin: 'http://evil.example' }
    expect(await linkFor('host@example.com', claims)).toStartWith('/user/reset?')
  })
})

test('every mail and every wrong code counts against client and address', async () => {
  const guarded = await startTestApp({ env: { RATE_LIMIT_CRITICAL: '3/1200', TRUST_PROXY: '1' } })
  await setOptions(guarded, mailbox.options)
  const from = (address: string) => guarded.client({ 'x-forwarded-for': address })
  const before = mailbox.inbox.length
  for (const last of [1, 2, 3]) await from(`10.0.0.${last}`).call(authApi.verification, { email: 'flood@example.com' })
  expect((await from('10.0.0.4').raw(authApi.verification, { email: 'flood@example.com' })).status).toBe(429)
  for (const name of ['a', 'b', 'c']) {
    await from('10.0.0.5').raw(authApi.reset, { email: `${name}@example.com`, token: 'wrong' })
  }
  expect((await from('10.0.0.5').raw(authApi.resetRequest, { email: 'd@example.com' })).status).toBe(429)
  expect(mailbox.inbox).toHaveLength(before + 3)
  await guarded.stop()
})

test('mails asked for all at once are no more than one after the other', async () => {
  const guarded = await startTestApp({ env: { RATE_LIMIT_CRITICAL: '3/1200' } })
  await setOptions(guarded, mailbox.options)
  const addresses = Array.from({ length: 20 }, (_, at) => `flood-${at}@example.com`)
  const answers = await Promise.all(addresses.map((email) => guarded.client().raw(authApi.verification, { email })))
  expect(answers.filter(({ success }) => success)).toHaveLength(3)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(17)
  await guarded.stop()
})
