import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { setOptions } from '#server/testing/set-options.ts'
import { signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
import { accountApi } from '#shared/api/account.ts'
import { authApi } from '#shared/api/auth.ts'
import type { User } from '#shared/api/users.ts'

interface Person {
  id: number
  login: string
  name?: string | null
  emails?: { email: string; primary: boolean; verified: boolean }[]
}

let app: TestApp
/** Who stands behind a code, at GitHub and at the messaging app's server. */
const people: Record<string, Person> = {}
const wechatIds: Record<string, string> = {}
/** What the messaging app's server answers instead. */
let wechatAnswer: (() => Response) | null = null
let requests: { url: string; headers: Headers; body: string }[] = []

const outside = Bun.serve({
  port: 0,
  async fetch(request) {
    const url = new URL(request.url)
    const body = await request.text()
    requests.push({ url: url.pathname + url.search, headers: request.headers, body })
    const person = people[(request.headers.get('authorization') ?? '').replace('Bearer token-of-', '')]
    if (url.pathname === '/login/oauth/access_token') {
      const { code } = JSON.parse(body)
      return Response.json(people[code] ? { access_token: `token-of-${code}` } : { error: 'bad_verification_code' })
    }
    if (url.pathname === '/user') return Response.json(person ?? { message: 'Bad credentials' })
    if (url.pathname === '/user/emails') return Response.json(person?.emails ?? { message: 'Not Found' })
    const wechatId = wechatIds[url.searchParams.get('code') ?? '']
    if (wechatAnswer) return wechatAnswer()
    return Response.json({ success: true, message: '', data: wechatId ?? '' })
  },
})

beforeAll(async () => {
  const base = `http://127.0.0.1:${outside.port}`
  app = await startTestApp({ env: { GITHUB_URL: base, GITHUB_API_URL: base } })
})
afterAll(async () => {
  await app.stop()
  await outside.stop(true)
})
beforeEach(async () => {
  app.time.now = null
  requests = []
  wechatAnswer = null
  await setOptions(app, {
    RegisterEnabled: 'true',
    GitHubOAuthEnabled: 'true',
    GitHubClientId: 'client',
    GitHubClientSecret: 'github-secret',
    WeChatAuthEnabled: 'true',
    WeChatServerAddress: `http://127.0.0.1:${outside.port}`,
    WeChatServerToken: 'wechat-token',
    EmailDomainRestrictionEnabled: 'false',
    EmailDomainWhitelist: 'example.com',
  })
})

const users = () => app.ctx.database.db.updateTable('users')
const self = (client: TestClient): Promise<User> => client.call(accountApi.self, {})
const callback = async (client: TestClient, code: string) =>
  client.raw(authApi.github, { code, state: await client.call(authApi.oauthState, {}) })
const mismatch = { status: 403, message: 'The state is empty, used or expired; please start the login again' }

describe('logging in with GitHub', () => {
  test('makes an account whose name fits, with the verified address', async () => {
    const emails = [
      { email: 'other@example.com', primary: false, verified: true },
      { email: 'Octo@example.com', primary: true, verified: true },
    ]
    people.octo = { id: 583231, login: 'octocat', name: 'A name of far more than twenty letters', emails }
    const client = app.client()
    const answer = await callback(client, 'octo')
    expect(answer).toMatchObject({ status: 200, success: true, message: '' })
    expect(answer.data?.username).toMatch(/^github_[0-9a-z]{5}$/)
    expect(await self(client)).toMatchObject({
      display_name: 'A name of far more t',
      email: 'octo@example.com',
      github_id: 'octocat',
      role: 1,
    })
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      client_id: 'client',
      client_secret: 'github-secret',
      code: 'octo',
    })
  })

  test('knows the person again by number, whatever the login name has become', async () => {
    people.first = { id: 42, login: 'before' }
    people.renamed = { id: 42, login: 'after' }
    people.squatter = { id: 43, login: 'before' }
    const id = (await callback(app.client(), 'first')).data?.id
    expect((await callback(app.client(), 'renamed')).data?.id).toBe(id ?? 0)
    expect((await callback(app.client(), 'squatter')).data?.id).not.toBe(id)
  })

  test('matches an imported account by its login name, once', async () => {
    const imported = await signIn(app)
    await users().set({ github_login: 'Imported' }).where('id', '=', imported.userId).execute()
    people.owner = { id: 77, login: 'imported' }
    people.later = { id: 78, login: 'imported' }
    expect((await callback(app.client(), 'owner')).data?.id).toBe(imported.userId)
    expect((await callback(app.client(), 'later')).data?.id).not.toBe(imported.userId)
  })

  test('gives an imported account no gift for having been deleted', async () => {
    await setOptions(app, { QuotaForNewUser: '500' })
    const imported = await signIn(app)
    await users().set({ github_login: 'gifted' }).where('id', '=', imported.userId).execute()
    people.gifted = { id: 79, login: 'gifted' }
    expect((await callback(app.client(), 'gifted')).data?.id).toBe(imported.userId)
    await imported.call(accountApi.remove, {})
    const again = app.client()
    await callback(again, 'gifted')
    expect((await self(again)).quota).toBe(0)
    await setOptions(app, { QuotaForNewUser: '0' })
  })

  test('leaves out an address that is unverified, taken or not on the whitelist', async () => {
    const rival = await signIn(app)
    await users().set({ email: 'taken@example.com' }).where('id', '=', rival.userId).execute()
    await setOptions(app, { EmailDomainRestrictionEnabled: 'true' })
    const cases = [
      { email: 'unproven@example.com', verified: false },
      { email: 'taken@example.com', verified: true },
      { email: 'me@elsewhere.com', verified: true },
    ]
    for (const [at, { email, verified }] of cases.entries()) {
      people[`mail${at}`] = { id: 900 + at, login: `mail${at}`, emails: [{ email, verified, primary: true }] }
      const client = app.client()
      expect((await callback(client, `mail${at}`)).success).toBe(true)
      expect((await self(client)).email).toBe('')
    }
  })

  test('by one person twice at once makes one account', async () => {
    people.twin = { id: 99, login: 'twin' }
    const answers = await Promise.all([app.client(), app.client(), app.client()].map((one) => callback(one, 'twin')))
    expect(new Set(answers.map(({ data }) => data?.id)).size).toBe(1)
  })

  test('refuses the banned, the closed door, a bad code, a silent GitHub and the switched-off option', async () => {
    people.bad = { id: 666, login: 'bad' }
    const id = (await callback(app.client(), 'bad')).data?.id ?? 0
    await users().set({ status: 2 }).where('id', '=', id).execute()
    expect((await callback(app.client(), 'bad')).message).toBe('The user has been banned')
    expect((await callback(app.client(), 'unknown')).message).toBe('GitHub did not accept the code, please retry')
    people.late = { id: 667, login: 'late' }
    await setOptions(app, { RegisterEnabled: 'false' })
    expect((await callback(app.client(), 'late')).message).toBe('The administrator has closed registration')
    await setOptions(app, { GitHubOAuthEnabled: 'false' })
    expect((await callback(app.client(), 'late')).message).toBe('The administrator has not enabled GitHub login')
    const alone = await startTestApp({ env: { GITHUB_URL: 'http://127.0.0.1:1' } })
    await setOptions(alone, { GitHubOAuthEnabled: 'true' })
    expect((await callback(alone.client(), 'late')).message).toBe('Cannot reach GitHub, please retry later')
    await alone.stop()
  })
})

describe('the state of an external login', () => {
  beforeAll(() => {
    people.stated = { id: 1000, login: 'stated' }
  })

  test('works once', async () => {
    const client = app.client()
    const state = await client.call(authApi.oauthState, {})
    expect((await client.raw(authApi.github, { code: 'stated', state })).success).toBe(true)
    expect(await client.raw(authApi.github, { code: 'stated', state })).toMatchObject(mismatch)
  })

  test.each(['', 'invented'])('cannot be %j', async (state) => {
    expect(await app.client().raw(authApi.github, { code: 'stated', state })).toMatchObject(mismatch)
  })

  test('works for ten minutes', async () => {
    const client = app.client()
    const state = await client.call(authApi.oauthState, {})
    app.time.now = Date.now() + 600_000
    expect(await client.raw(authApi.github, { code: 'stated', state })).toMatchObject(mismatch)
  })

  test('works in the browser it was made in, alone', async () => {
    const state = await app.client().call(authApi.oauthState, {})
    const victim = app.client()
    await victim.call(authApi.oauthState, {})
    expect(await victim.raw(authApi.github, { code: 'stated', state })).toMatchObject(mismatch)
  })

  test('of a binding binds nobody else', async () => {
    const anna = await signIn(app)
    const state = await anna.call(authApi.oauthState, {})
    const binding = anna.cookie.split('; ').find((part) => part.startsWith('oauth_binding=')) ?? ''
    const bert = await signIn(app)
    bert.cookie = `${bert.cookie}; ${binding}`
    expect(await bert.raw(authApi.github, { code: 'stated', state })).toMatchObject(mismatch)
    expect((await self(bert)).github_id).toBe('')
  })

  test('begun in two tabs finishes in both', async () => {
    const client = app.client()
    const [one, two] = [await client.call(authApi.oauthState, {}), await client.call(authApi.oauthState, {})]
    expect((await client.raw(authApi.github, { code: 'stated', state: one })).success).toBe(true)
    expect((await client.raw(authApi.github, { code: 'stated', state: two })).success).toBe(true)
  })
})

describe('binding', () => {
  test('a GitHub account answers bind and nothing else', async () => {
    people.bound = { id: 2000, login: 'bound' }
    const anna = await signIn(app)
    expect(await callback(anna, 'bound')).toEqual({ status: 200, success: true, message: 'bind', data: null })
    expect((await self(anna)).github_id).toBe('bound')
    expect((await callback(app.client(), 'bound')).data?.id).toBe(anna.userId)
    const bert = await signIn(app)
    expect((await callback(bert, 'bound')).message).toBe('This GitHub account is already bound')
  })

  test('a messaging-app account works once for each person', async () => {
    wechatIds['three words&x=1'] = 'wx-1'
    const anna = await signIn(app)
    await anna.call(authApi.wechatBind, { code: 'three words&x=1' })
    expect(requests[0]?.url).toBe('/api/wechat/user?code=three+words%26x%3D1')
    expect(requests[0]?.headers.get('authorization')).toBe('wechat-token')
    expect((await self(anna)).wechat_id).toBe('wx-1')
    const bert = await signIn(app)
    const refused = await bert.raw(authApi.wechatBind, { code: 'three words&x=1' })
    expect(refused.message).toBe('This WeChat account is already bound')
    const client = app.client()
    expect((await client.call(authApi.wechat, { code: 'three words&x=1' })).id).toBe(anna.userId)
  })
})

describe('logging in with the messaging app', () => {
  test('makes an account once', async () => {
    wechatIds.fresh = 'wx-2'
    const first = await app.client().call(authApi.wechat, { code: 'fresh' })
    expect(first).toMatchObject({ display_name: 'WeChat User' })
    expect(first.username).toMatch(/^wechat_[0-9a-z]{5}$/)
    expect((await app.client().call(authApi.wechat, { code: 'fresh' })).id).toBe(first.id)
  })

  test('refuses a wrong code, a silent server and the switched-off option', async () => {
    const login = (code: string) => app.client().raw(authApi.wechat, { code })
    expect((await login('wrong')).message).toBe('The code is wrong or has expired')
    expect((await login('')).success).toBe(false)
    await setOptions(app, { WeChatServerAddress: 'http://127.0.0.1:1' })
    expect((await login('fresh')).message).toBe('Cannot reach the WeChat server, please retry later')
    await setOptions(app, { WeChatAuthEnabled: 'false' })
    expect((await login('fresh')).message).toBe('The administrator has not enabled WeChat login')
    const anna = await signIn(app)
    expect((await anna.raw(authApi.wechatBind, { code: 'fresh' })).success).toBe(false)
  })

  test('says what its server says when that refuses', async () => {
    wechatAnswer = () => Response.json({ success: false, message: 'the token of the relay is wrong' }, { status: 403 })
    expect((await app.client().raw(authApi.wechat, { code: 'any' })).message).toBe('the token of the relay is wrong')
    wechatAnswer = () => Response.json({ success: false, message: '' })
    expect((await app.client().raw(authApi.wechat, { code: 'any' })).message).toBe('The code is wrong or has expired')
  })

  test.each([
    ['a fault', () => new Response('bad gateway', { status: 502 })],
    ['a page', () => new Response('<html></html>')],
    ['a JSON fault', () => Response.json({ message: 'starting' }, { status: 503 })],
  ])('blames %s of its server on no code', async (_, answer) => {
    wechatAnswer = answer
    const refused = await app.client().raw(authApi.wechat, { code: 'good' })
    expect(refused.message).toBe('Cannot reach the WeChat server, please retry later')
  })
})
