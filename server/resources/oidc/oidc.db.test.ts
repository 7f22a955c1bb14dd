import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { whileReplaced } from '#server/testing/identity-scene.ts'
import { type OidcPerson, type OidcServer, startOidcServer } from '#server/testing/oidc-server.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { signIn } from '#server/testing/sign-in.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
let provider: OidcServer
beforeAll(async () => {
  app = await borrowApp()
  provider = await startOidcServer([`${app.url}/oauth/oidc`])
  await setOptions(app, provider.options)
})
afterAll(async () => {
  await app.stop()
  await provider.stop()
})

/** Follows the browser through the provider and returns the query it comes back with. */
async function journey(client: TestClient): Promise<string> {
  const { url } = await client.call(api.auth.oidcStart, {})
  const cookies = new Map<string, string>()
  let at = url
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const next = new URL(answer.headers.get('location') ?? '', at)
    if (next.pathname === '/oauth/oidc') return next.search
    at = next.href
  }
  throw new Error('the provider never sent the browser back')
}

async function finish(client: TestClient, query: string) {
  const answer = await client.fetch(`/api/oauth/oidc${query}`)
  return { status: answer.status, ...((await answer.json()) as Record<string, unknown>) } as {
    status: number
    success: boolean
    message: string
    code?: string
    data?: { id: number; username: string }
  }
}

async function come(person: OidcPerson, client = app.client()) {
  provider.person = person
  return finish(client, await journey(client))
}

const groupOf = async (id = 0) =>
  (await app.ctx.database.db.selectFrom('users').select('group').where('id', '=', id).executeTakeFirstOrThrow()).group
const emailOf = async (id = 0) =>
  (await app.ctx.database.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email
const giveAddress = (id: number, email: string) =>
  app.ctx.database.db.updateTable('users').set({ email }).where('id', '=', id).execute()

describe('OpenID Connect', () => {
  test('makes an account at the first login and finds it at the next', async () => {
    const person = { sub: 'one', name: 'Anna One', email: 'one@corp.example', email_verified: true }
    const client = app.client()
    const first = await come(person, client)
    expect(first).toMatchObject({ success: true, data: { username: expect.stringMatching(/^oidc_/) } })
    expect(await client.call(api.account.self, {})).toMatchObject({
      display_name: 'Anna One',
      email: 'one@corp.example',
      oidc_id: 'one',
    })
    expect((await come(person)).data?.id).toBe(first.data?.id ?? 0)
    expect(await app.client().call(api.status.status, {})).toMatchObject({ oidc_login: true, oidc_name: 'Company' })
  })

  test.each(['client_secret_basic', 'client_secret_post'] as const)(
    'shows the secret to a provider that takes %s alone',
    async (method) => {
      const strict = await startOidcServer([`${app.url}/oauth/oidc`], [method])
      await setOptions(app, strict.options)
      strict.person = { sub: method }
      const client = app.client()
      expect(await finish(client, await journey(client))).toMatchObject({ success: true })
      await strict.stop()
      await setOptions(app, provider.options)
    },
  )

  test('sends the browser away with PKCE, a nonce and a state', async () => {
    const { url } = await app.client().call(api.auth.oidcStart, {})
    const query = new URL(url).searchParams
    expect(query.get('code_challenge_method')).toBe('S256')
    for (const name of ['code_challenge', 'nonce', 'state']) expect(query.get(name)?.length).toBeGreaterThan(20)
    expect(query.get('redirect_uri')).toBe(`${app.url}/oauth/oidc`)
  })

  test('a way back counts once, in the browser that began it', async () => {
    const client = app.client()
    provider.person = { sub: 'replayed' }
    const query = await journey(client)
    expect((await finish(app.client(), query)).code).toBe('auth.state_mismatch')
    expect((await finish(client, query)).code).toBe('auth.state_mismatch')
    const again = await journey(client)
    expect((await finish(client, again)).success).toBeTrue()
    expect((await finish(client, again)).code).toBe('auth.state_mismatch')
  })

  test('a way back is its own: no other login takes its state, and it takes no other', async () => {
    await setOptions(app, { GitHubOAuthEnabled: 'true', GitHubClientId: 'client' })
    const anna = await signIn(app)
    const { url } = await anna.call(api.auth.oidcStart, {})
    const state = new URL(url).searchParams.get('state') ?? ''
    expect(await anna.raw(api.auth.github, { code: 'planted', state })).toMatchObject({ code: 'auth.state_mismatch' })
    const other = await anna.call(api.auth.oauthState, {})
    expect(await finish(anna, `?code=planted&state=${other}`)).toMatchObject({ code: 'auth.state_mismatch' })
    await setOptions(app, { GitHubOAuthEnabled: 'false' })
  })

  test("another's code, a wrong issuer and a refusal of the provider let nobody in", async () => {
    const client = app.client()
    provider.person = { sub: 'victim' }
    const stolen = new URLSearchParams(await journey(app.client())).get('code') ?? ''
    const swapped = new URLSearchParams(await journey(client))
    swapped.set('code', stolen)
    expect((await finish(client, `?${swapped}`)).code).toBe('oidc.refused')
    const foreign = new URLSearchParams(await journey(client))
    foreign.set('iss', 'https://evil.example')
    expect((await finish(client, `?${foreign}`)).code).toBe('oidc.refused')
    const denied = new URLSearchParams(await journey(client))
    denied.delete('code')
    denied.set('error', 'access_denied')
    expect((await finish(client, `?${denied}`)).code).toBe('oidc.refused')
    expect((await client.raw(api.account.self, {})).status).toBe(401)
  })

  test('a verified address joins its account, an unverified one joins none', async () => {
    const anna = await signIn(app)
    await giveAddress(anna.userId, 'anna@corp.example')
    const unproven = await come({ sub: 'eve', email: 'anna@corp.example', email_verified: false })
    expect(unproven.data?.id).not.toBe(anna.userId)
    expect(await emailOf(unproven.data?.id)).toBe('')
    const proven = await come({ sub: 'anna', email: 'Anna@corp.example', email_verified: true })
    expect(proven.data?.id).toBe(anna.userId)
    const second = await come({ sub: 'other', email: 'anna@corp.example', email_verified: true })
    expect(second.data?.id).not.toBe(anna.userId)
  })

  test('maps groups at each login; without a match they are default', async () => {
    await setOptions(app, { OIDCGroupMap: '{"engineers":"vip","board":"svip"}' })
    const id = (await come({ sub: 'grouped', groups: ['engineers', 'board', 'choir'] })).data?.id
    expect(await groupOf(id)).toBe('vip,svip')
    await come({ sub: 'grouped', groups: ['choir'] })
    expect(await groupOf(id)).toBe('default')
    await setOptions(app, { OIDCGroupMap: '{}' })
    await app.ctx.database.db
      .updateTable('users')
      .set({ group: 'vip' })
      .where('id', '=', id ?? 0)
      .execute()
    await come({ sub: 'grouped', groups: [] })
    expect(await groupOf(id)).toBe('vip')
  })

  test('is bound to an account that is logged in, unless somebody has it', async () => {
    const anna = await signIn(app)
    const bound = await come({ sub: 'bound' }, anna)
    expect(bound).toMatchObject({ success: true, message: 'bind' })
    expect((await come({ sub: 'bound' })).data?.id).toBe(anna.userId)
    expect((await come({ sub: 'bound' }, await signIn(app))).code).toBe('oidc.taken')
  })

  test('is bound by no session that a new password has ended meanwhile', async () => {
    const anna = await signIn(app)
    provider.person = { sub: 'thief' }
    const query = await journey(anna)
    // Asked after the session has ended, it is a journey that nobody began.
    expect([401, 403]).toContain((await whileReplaced(app, anna, () => finish(anna, query))).status)
    expect((await come({ sub: 'thief' })).data?.id).not.toBe(anna.userId)
  })

  test('an identity that was bound, imported, or joined by its address, has had its gift', async () => {
    await setOptions(app, { QuotaForNewUser: '500' })
    const [binder, joiner, imported] = [await signIn(app), await signIn(app), await signIn(app)]
    const oidc_id = `${provider.options.OIDCIssuer}#imported`
    await app.ctx.database.db.updateTable('users').set({ oidc_id }).where('id', '=', imported.userId).execute()
    expect((await come({ sub: 'imported' })).data?.id).toBe(imported.userId)
    await giveAddress(joiner.userId, 'joiner@corp.example')
    await come({ sub: 'binder' }, binder)
    await come({ sub: 'joiner', email: 'joiner@corp.example', email_verified: true })
    for (const account of [binder, joiner, imported]) await account.call(api.account.remove, {})
    const subs = ['binder', 'joiner', 'imported', 'never seen']
    const visitors = Object.fromEntries(subs.map((sub) => [sub, app.client()]))
    for (const [sub, client] of Object.entries(visitors)) await come({ sub }, client)
    const quotaOf = async (client: TestClient) => (await client.call(api.account.self, {})).quota
    expect(await Promise.all(Object.values(visitors).map(quotaOf))).toEqual([0, 0, 0, 500])
    await setOptions(app, { QuotaForNewUser: '0' })
  })

  test('makes no account where that is switched off, and lets no banned one in', async () => {
    await setOptions(app, { OIDCAutoRegister: 'false' })
    expect((await come({ sub: 'stranger' })).code).toBe('oidc.no_account')
    await setOptions(app, { OIDCAutoRegister: 'true', RegisterEnabled: 'false' })
    expect((await come({ sub: 'stranger' })).code).toBe('register.closed')
    await setOptions(app, { RegisterEnabled: 'true' })
    const { data } = await come({ sub: 'banned' })
    await app.ctx.database.db
      .updateTable('users')
      .set({ status: 2 })
      .where('id', '=', data?.id ?? 0)
      .execute()
    expect((await come({ sub: 'banned' })).status).toBe(403)
  })

  test('is off unless switched on, and says when the provider cannot be reached', async () => {
    await setOptions(app, { OIDCEnabled: 'false' })
    expect((await app.client().raw(api.auth.oidcStart, {})).code).toBe('oidc.off')
    await setOptions(app, { OIDCEnabled: 'true', OIDCIssuer: 'http://127.0.0.1:1' })
    expect((await app.client().raw(api.auth.oidcStart, {})).code).toBe('oidc.unreachable')
    await setOptions(app, provider.options)
  })

  test("its options are the super administrator's, and a plain issuer is for this machine alone", async () => {
    const admin = await signIn(app, { role: 'admin' })
    const root = await app.root()
    for (const key of [
      'OIDCEnabled',
      'OIDCName',
      'OIDCScopes',
      'OIDCAutoRegister',
      'OIDCGroupsClaim',
      'OIDCGroupMap',
    ]) {
      expect((await admin.raw(api.options.update, { key, value: 'x' })).status).toBe(403)
    }
    const issuer = async (value: string) => (await root.raw(api.options.update, { key: 'OIDCIssuer', value })).success
    expect(await issuer('http://corp.example')).toBeFalse()
    expect(await issuer('https://corp.example/')).toBeTrue()
    await setOptions(app, provider.options)
    const shown = await (await root.fetch('/api/option/')).text()
    expect(shown).not.toContain('planted-client-secret')
  })
})
