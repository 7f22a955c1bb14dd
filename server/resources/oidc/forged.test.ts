import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type ForgingProvider, startForgingProvider } from '#server/testing/forging-provider.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
let provider: ForgingProvider
beforeAll(async () => {
  app = await startTestApp()
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

async function comeWith(forge: ForgingProvider['forge']) {
  const client = app.client()
  const { url } = await client.call(api.auth.oidcStart, {})
  const asked = new URL(url).searchParams
  provider.nonce = asked.get('nonce') ?? ''
  provider.forge = forge
  const query = new URLSearchParams({ code: 'any', state: asked.get('state') ?? '' })
  const answer = await client.fetch(`/api/oauth/oidc?${query}`)
  const isIn = (await client.raw(api.account.self, {})).success
  return { ...((await answer.json()) as { success: boolean; code?: string }), isIn }
}

test('an identity that is as it should be is let in', async () => {
  expect(await comeWith({})).toMatchObject({ success: true, isIn: true })
})

test.each([
  ['another issuer', { claims: { iss: 'https://evil.example' } }],
  ['another audience', { claims: { aud: 'somebody-else' } }],
  ['another nonce', { claims: { nonce: 'of another login' } }],
  ['no nonce', { claims: { nonce: undefined } }],
  ['a time that is over', { claims: { exp: 1 } }],
  ['no subject', { claims: { sub: undefined } }],
  ["a stranger's signature", { sign: 'stranger' as const }],
  ['no signature', { sign: 'nobody' as const }],
])('an identity with %s lets nobody in', async (_, forge) => {
  expect(await comeWith(forge)).toMatchObject({ success: false, code: 'oidc.refused', isIn: false })
})
