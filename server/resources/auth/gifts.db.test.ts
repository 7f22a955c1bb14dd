import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { rememberOldGifts } from '#server/process/remember-old-gifts.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type MailServer, startMailServer } from '#server/testing/mail-server.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
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
beforeEach(() =>
  setOptions(app, {
    ...mailbox.options,
    EmailVerificationEnabled: 'true',
    QuotaForNewUser: '1000',
    QuotaForInviter: '300',
    QuotaForInvitee: '20',
  }),
)

const password = 'a password'
let made = 0

async function codeFor(email: string): Promise<string> {
  await app.client().call(authApi.verification, { email })
  return /([2-9A-Z]{6})<\/strong>/.exec((await mailbox.next()).body)?.[1] ?? ''
}

async function registered(email: string, affCode = ''): Promise<TestClient> {
  made += 1
  const username = `gifted-${made}`
  const proof = email === '' ? {} : { email, verification_code: await codeFor(email) }
  await app.client().call(authApi.register, { username, password, aff_code: affCode, ...proof })
  const client = app.client()
  await client.call(authApi.login, { username, password })
  return client
}

const quotaOf = async (client: TestClient) => (await client.call(accountApi.self, {})).quota

describe('the gifts of a new account', () => {
  test('are given once for an address, on both sides, also after the account was deleted', async () => {
    const inviter = await signIn(app)
    const affCode = await inviter.call(accountApi.affiliateCode, {})
    const first = await registered('once@example.com', affCode)
    expect(await quotaOf(first)).toBe(1020)
    expect(await quotaOf(inviter)).toBe(300)
    await first.call(accountApi.remove, {})
    const again = await registered('Once@Example.com', affCode)
    expect(await quotaOf(again)).toBe(0)
    expect(await quotaOf(inviter)).toBe(300)
    const kept = await app.ctx.database.db.selectFrom('gifts_given').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain('once@example.com')
  })

  test('count for an address that was bound later, and is free again', async () => {
    await setOptions(app, { EmailVerificationEnabled: 'false' })
    const first = await registered('')
    expect(await quotaOf(first)).toBe(1000)
    await first.call(authApi.emailBind, { email: 'later@example.com', code: await codeFor('later@example.com') })
    await first.call(accountApi.remove, {})
    await setOptions(app, { EmailVerificationEnabled: 'true' })
    expect(await quotaOf(await registered('later@example.com'))).toBe(0)
  })

  test('are given to every account without an address', async () => {
    await setOptions(app, { EmailVerificationEnabled: 'false' })
    expect(await quotaOf(await registered(''))).toBe(1000)
    expect(await quotaOf(await registered(''))).toBe(1000)
  })

  test('were had by accounts of a version that did not keep them in mind', async () => {
    const old = await signIn(app)
    const { db } = app.ctx.database
    await db.updateTable('users').set({ email: 'old@example.com' }).where('id', '=', old.userId).execute()
    await rememberOldGifts(app.ctx)
    await old.call(accountApi.remove, {})
    expect(await quotaOf(await registered('old@example.com'))).toBe(0)
  })
})

describe('registrations from one address', () => {
  const from = (node: TestApp, address: string, username: string) =>
    node.client({ 'x-forwarded-for': address }).raw(authApi.register, { username, password })

  test('are five in an hour; one that fails is not counted', async () => {
    const limited = await startTestApp({ env: { RATE_LIMIT_REGISTER: '5/3600', TRUST_PROXY: '1' } })
    for (let at = 1; at <= 5; at++) {
      expect((await from(limited, '10.9.0.1', `farm-${at}`)).success).toBe(true)
      expect((await from(limited, '10.9.0.1', 'root')).code).toBe(at < 5 ? 'user.name_taken' : 'request.too_many')
    }
    expect(await from(limited, '10.9.0.1', 'farm-6')).toMatchObject({ status: 429, success: false })
    expect((await from(limited, '10.9.0.2', 'neighbour')).success).toBe(true)
    limited.time.now = Date.now() + 3_600_000
    expect((await from(limited, '10.9.0.1', 'farm-7')).success).toBe(true)
    await limited.stop()
  })

  test('hash no password for what is refused: logins wait for those', async () => {
    const limited = await startTestApp({ env: { RATE_LIMIT_REGISTER: '2/3600' } })
    const hash = spyOn(Bun.password, 'hash')
    for (const name of ['root', 'R0ot', 'one', 'two', 'three']) await from(limited, '', name)
    expect(hash).toHaveBeenCalledTimes(2)
    hash.mockRestore()
    await limited.stop()
  })

  test('are five also when many come at once', async () => {
    const limited = await startTestApp({ env: { RATE_LIMIT_REGISTER: '5/3600' } })
    // No two names look alike: the second of such a pair is refused, and its place is gone for the others of that moment.
    const names = [...'abcdefghjkmnpqrstuvw'].map((letter) => `crowd-${letter}`)
    const answers = await Promise.all(names.map((name) => from(limited, '', name)))
    expect(answers.filter(({ success }) => success)).toHaveLength(5)
    await limited.stop()
  })
})
