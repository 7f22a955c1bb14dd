import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type ForgingProvider, startForgingProvider } from '#server/testing/forging-provider.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
let provider: ForgingProvider
beforeAll(async () => {
  app = await borrowApp()
  provider = startForgingProvider('yard')
  await setOptions(app, {
    OIDCEnabled: 'true',
    OIDCIssuer: provider.issuer,
    OIDCClientId: 'yard',
    OIDCClientSecret: 'secret',
  })
})
afterAll(async () => {
  await app.stop()
  await provider.stop()
})

interface Came {
  success: boolean
  code?: string
  data?: { id: number; display_name: string }
}

async function comeWith(forge: ForgingProvider['forge']) {
  const client = app.client()
  const { url } = await client.call(api.auth.oidcStart, {})
  const asked = new URL(url).searchParams
  provider.nonce = asked.get('nonce') ?? ''
  provider.forge = forge
  const query = new URLSearchParams({ code: 'any', state: asked.get('state') ?? '' })
  const answer = await client.fetch(`/api/oauth/oidc?${query}`)
  const isIn = (await client.raw(api.account.self, {})).success
  return { ...((await answer.json()) as Came), isIn }
}

test('an identity that is as it should be is let in', async () => {
  expect(await comeWith({})).toMatchObject({ success: true, isIn: true })
})

test('login works with an issuer that ends in a slash, whether the slash was typed or not', async () => {
  const honest = provider
  provider = startForgingProvider('yard', '/application/o/yard/')
  for (const OIDCIssuer of [provider.issuer, provider.issuer.slice(0, -1)]) {
    await setOptions(app, { OIDCIssuer })
    expect(await comeWith({})).toMatchObject({ success: true, isIn: true })
    expect(await comeWith({ claims: { iss: OIDCIssuer.replace(/\/?$/, '') } })).toMatchObject({ code: 'oidc.refused' })
  }
  await provider.stop()
  provider = honest
  await setOptions(app, { OIDCIssuer: honest.issuer })
})

test('two subjects that differ by a slash are two people', async () => {
  const { data: one } = await comeWith({ claims: { sub: 'a#b' } })
  const { data: other } = await comeWith({ claims: { sub: 'a/#b' } })
  expect(other?.id).toBeGreaterThan(one?.id ?? 0)
})

test('a name is kept without what no database keeps', async () => {
  expect((await comeWith({ claims: { sub: 'named', name: 'Ann\0a' } })).data?.display_name).toBe('Anna')
})

test('an address is verified only by what names that very address', async () => {
  const anna = await signIn(app)
  await app.ctx.database.db
    .updateTable('users')
    .set({ email: 'anna@corp.example' })
    .where('id', '=', anna.userId)
    .execute()
  const claims = { sub: 'mallory', email: 'anna@corp.example' }
  const userinfo = { email: 'mallory@evil.example', email_verified: true }
  const mallory = await comeWith({ claims, userinfo })
  expect(mallory).toMatchObject({ success: true, isIn: true })
  expect(mallory.data?.id).not.toBe(anna.userId)
  const own = await comeWith({
    claims: { ...claims, sub: 'anna' },
    userinfo: { ...claims, ...userinfo, ...claims, sub: 'anna' },
  })
  expect(own.data?.id).toBe(anna.userId)
})

test.each([
  ['another issuer', { claims: { iss: 'https://evil.example' } }],
  ['another audience', { claims: { aud: 'somebody-else' } }],
  ['another nonce', { claims: { nonce: 'of another login' } }],
  ['no nonce', { claims: { nonce: undefined } }],
  ['a time that is over', { claims: { exp: 1 } }],
  ['no subject', { claims: { sub: undefined } }],
  ['an empty subject', { claims: { sub: '' } }],
  ['a subject no database keeps', { claims: { sub: 'a\0b' } }],
  ["a stranger's signature", { sign: 'stranger' as const }],
  ['no signature', { sign: 'nobody' as const }],
])('an identity with %s lets nobody in', async (_, forge) => {
  expect(await comeWith(forge)).toMatchObject({ success: false, code: 'oidc.refused', isIn: false })
})
