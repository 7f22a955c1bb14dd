import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createAuthenticator } from '#server/testing/authenticator.ts'
import { eventually } from '#server/testing/eventually.ts'
import { codeOf, password, person, withTotp } from '#server/testing/identity-scene.ts'
import { type MailServer, startMailServer } from '#server/testing/mail-server.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { enterAs, type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import type { OwnerProof } from '#shared/api/proof.ts'

/** Stands for GitHub and for the companion of WeChat: whoever asks is a new person. */
let visitors = 0
const outside = Bun.serve({
  port: 0,
  fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/login/oauth/access_token') return Response.json({ access_token: 'token' })
    if (pathname === '/user/emails') return Response.json([])
    visitors += 1
    return Response.json({ id: visitors, login: `v${visitors}`, success: true, message: '', data: `wx-${visitors}` })
  },
})

let app: TestApp
let mailbox: MailServer
beforeAll(async () => {
  const base = `http://127.0.0.1:${outside.port}`
  app = await startTestApp({ env: { GITHUB_URL: base, GITHUB_API_URL: base } })
  mailbox = await startMailServer()
  await setOptions(app, {
    ...mailbox.options,
    GitHubOAuthEnabled: 'true',
    GitHubClientId: 'client',
    GitHubClientSecret: 'secret',
    WeChatAuthEnabled: 'true',
    WeChatServerAddress: base,
    WeChatServerToken: 'token',
  })
})
afterAll(async () => {
  await app.stop()
  await mailbox.stop()
  await outside.stop(true)
})
beforeEach(() => {
  app.time.now = null
})

const later = (minutes: number) => {
  app.time.now = Date.now() + minutes * 60_000
}

async function addPasskey(client: TestClient, proof: OwnerProof = {}, before: OwnerProof = {}) {
  const key = createAuthenticator()
  const options = await client.call(api.identity.passkeyOptions, before)
  return client.raw(api.identity.passkeyCreate, { name: 'key', response: key.register(options, app.url), ...proof })
}

async function linkGithub(client: TestClient, proof: OwnerProof = {}) {
  const begun = await client.raw(api.auth.oauthBind, proof)
  return begun.success ? client.raw(api.auth.github, { code: 'code', state: begun.data ?? '' }) : begun
}

const linkWechat = (client: TestClient, proof: OwnerProof = {}) =>
  client.raw(api.auth.wechatBindProven, { code: 'code', ...proof })

/** Every way to add a login, as who has a session and whatever is given calls it. */
const additions = {
  'a passkey': (client: TestClient, proof?: OwnerProof) => addPasskey(client, proof),
  'a passkey, proven at its beginning': (client: TestClient, proof?: OwnerProof) => addPasskey(client, {}, proof),
  'a login with GitHub': linkGithub,
  'a messaging app': linkWechat,
}
const ways = Object.entries(additions)

async function waysInto({ userId }: { userId: number }) {
  const { db } = app.ctx.database
  const passkeys = await db.selectFrom('passkeys').select('id').where('user_id', '=', userId).execute()
  const user = await db
    .selectFrom('users')
    .select(['github_id', 'wechat_id', 'oidc_id'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { passkeys: passkeys.length, links: Object.values(user).filter(Boolean).length }
}
const none = { passkeys: 0, links: 0 }

describe.each(ways)('%s', (_, add) => {
  test('is not added by a session alone', async () => {
    const anna = await person(app)
    expect(await add(anna)).toMatchObject({ success: false, code: 'auth.proof_needed', status: 403 })
    await add(anna, { password: 'a wrong one' }).catch(() => {})
    expect(await waysInto(anna)).toEqual(none)
  })

  test('is added with the password, or with a code of the second factor that counts once', async () => {
    const anna = await person(app)
    expect((await add(anna, { password })).success).toBeTrue()
    const bert = await person(app)
    const { secret } = await withTotp(app, bert)
    later(1)
    bert.cookie = (await enterAs(app, bert.userId)).cookie
    const second_factor = codeOf(app, secret)
    expect((await add(bert, { second_factor })).success).toBeTrue()
    const before = await waysInto(bert)
    await add(bert, { second_factor }).catch(() => {})
    expect(await waysInto(bert)).toEqual(before)
  })

  test('is not added with a second factor that the session itself has set up', async () => {
    const anna = await person(app)
    later(1)
    const { secret, recovery } = await withTotp(app, anna)
    for (const second_factor of [codeOf(app, secret), recovery[0] ?? ''])
      expect(await add(anna, { second_factor }).catch(({ message }) => ({ message }))).toMatchObject({
        message: expect.stringContaining('You set up this second factor after you logged in'),
      })
    expect(await waysInto(anna)).toEqual(none)
    expect((await add(anna, { password })).success).toBeTrue()
  })

  test('is added to an account without a password after a login of just now alone', async () => {
    const anna = await signIn(app)
    later(9)
    expect((await add(anna)).success).toBeTrue()
    const bert = await signIn(app)
    later(25)
    expect(await add(bert)).toMatchObject({ success: false, code: 'auth.login_needed' })
    expect(await waysInto(bert)).toEqual(none)
  })

  test('is not added by an access token alone', async () => {
    const anna = await person(app)
    const token = await anna.call(api.account.accessToken, {})
    const client = app.client({ authorization: `Bearer ${token}` })
    expect(await add(client)).toMatchObject({ success: false, code: 'auth.proof_needed' })
    expect(await waysInto(anna)).toEqual(none)
  })
})

test('the calls without a proof add nothing to an account with a password', async () => {
  const anna = await person(app)
  for (const endpoint of [api.auth.oauthState, api.auth.oidcStart])
    expect(await anna.raw(endpoint, {})).toMatchObject({ success: false })
  expect(await anna.raw(api.auth.oauthState, {})).toMatchObject({ code: 'auth.proof_needed' })
  expect(await anna.raw(api.auth.wechatBind, { code: 'code' })).toMatchObject({ code: 'auth.proof_needed' })
  expect(await waysInto(anna)).toEqual(none)
})

test('guesses of the password are counted like those at the login', async () => {
  const guarded = await startTestApp({ env: { RATE_LIMIT_CRITICAL: '3/1200' } })
  const anna = await person(guarded)
  const codes: (string | undefined)[] = []
  for (let guess = 0; guess < 5; guess++)
    codes.push((await anna.raw(api.identity.passkeyOptions, { password: `wrong ${guess}` })).code)
  expect(codes.slice(0, 3)).toEqual(Array(3).fill('email.wrong_password'))
  expect(codes.slice(3)).toEqual(Array(2).fill('request.too_many'))
  await guarded.stop()
})

async function withAll(email: string): Promise<SignedIn> {
  const anna = await person(app, 'user', email)
  for (const add of [addPasskey, linkGithub, linkWechat]) expect((await add(anna, { password })).success).toBeTrue()
  expect(await waysInto(anna)).toEqual({ passkeys: 1, links: 2 })
  return anna
}

async function expectMail(email: string): Promise<void> {
  const mail = await mailbox.next()
  expect(mail.to).toEqual([email])
  expect(mail.body).toContain('was reset')
  for (const named of ['passkeys (1)', 'GitHub', 'WeChat']) expect(mail.body).toContain(named)
}

describe('a password that is reset', () => {
  test('by an administrator ends passkeys and links, and the owner gets a mail', async () => {
    const anna = await withAll('by-admin@example.com')
    const root = await app.root()
    await root.call(api.users.update, { id: anna.userId, password: 'a new password' })
    expect(await waysInto(anna)).toEqual(none)
    await expectMail('by-admin@example.com')
    const { list } = await root.call(api.history.list, { kind: 'user', target: String(anna.userId) })
    for (const entry of list.filter(({ undoable, before }) => undoable && before))
      await root.call(api.history.undo, { id: entry.id })
    expect(await waysInto(anna)).toEqual(none)
    const client = app.client()
    await client.call(api.auth.login, { username: anna.username, password: 'a new password' })
  })

  test('by mail ends passkeys and links, and the owner gets a mail', async () => {
    const anna = await withAll('by-mail@example.com')
    await app.client().call(api.auth.resetRequest, { email: 'by-mail@example.com' })
    const link = /<code>([^<]+)<\/code>/.exec((await mailbox.next()).body)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const token = new URL(link, app.url).searchParams.get('token') ?? ''
    await app.client().call(api.auth.reset, { email: 'by-mail@example.com', token })
    expect(await waysInto(anna)).toEqual(none)
    await expectMail('by-mail@example.com')
  })

  test('by its owner keeps them, also where the owner is an administrator', async () => {
    const anna = await withAll('')
    await anna.call(api.account.update, { password: 'a new password' })
    const root = await person(app, 'root')
    expect((await addPasskey(root, { password })).success).toBeTrue()
    await root.call(api.users.update, { id: root.userId, password: 'a new password' })
    await eventually(
      () => waysInto(anna),
      ({ passkeys }) => passkeys === 1,
    )
    expect(await waysInto(anna)).toEqual({ passkeys: 1, links: 2 })
    expect(await waysInto(root)).toEqual({ passkeys: 1, links: 0 })
  })

  test('of an account without any is changed without a mail', async () => {
    const anna = await person(app, 'user', 'plain@example.com')
    const bert = await withAll('with@example.com')
    const root = await app.root()
    await root.call(api.users.update, { id: anna.userId, password: 'a new password' })
    await root.call(api.users.update, { id: bert.userId, password: 'a new password' })
    await expectMail('with@example.com')
  })
})
