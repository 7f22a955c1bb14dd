import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Authenticator, createAuthenticator } from '#server/testing/authenticator.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { isIn, password, person, ticketFor } from '#server/testing/identity-scene.ts'
import { setOptions } from '#server/testing/set-options.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

async function withPasskey(client: TestClient, key: Authenticator, name = 'my key') {
  const options = await client.call(api.identity.passkeyOptions, {})
  const response = key.register(options, app.url)
  return { passkey: await client.call(api.identity.passkeyCreate, { name, response, password }), response }
}

async function passkeyAssertion(key: Authenticator, origin = app.url) {
  return key.sign(await app.client().call(api.identity.passkeyLoginOptions, {}), origin)
}

describe('passkeys', () => {
  test('log in without a password; an assertion counts once', async () => {
    const anna = await person(app)
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
    const anna = await person(app)
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
    const anna = await person(app)
    const eve = await person(app)
    const keyOfEve = createAuthenticator()
    await withPasskey(anna, createAuthenticator())
    await withPasskey(eve, keyOfEve)
    const ticket = await ticketFor(app, anna.username)
    const options = await app.client().call(api.identity.secondLoginOptions, { ticket })
    const assertion = keyOfEve.sign(options, app.url)
    expect((await app.client().raw(api.identity.secondLogin, { ticket, assertion })).success).toBeFalse()
  })

  test('a removed key, another origin and another site are refused', async () => {
    const anna = await person(app)
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
    const anna = await person(app)
    const { passkey } = await withPasskey(anna, createAuthenticator(), 'phone')
    await withPasskey(anna, createAuthenticator(), 'laptop')
    const { list, total } = await anna.call(api.identity.passkeys, {})
    expect(list.map(({ name }) => name)).toEqual(['laptop', 'phone'])
    expect(total).toBe(2)
    expect((await anna.call(api.identity.passkeyRename, { id: passkey.id, name: 'old phone' })).name).toBe('old phone')
    const eve = await person(app)
    expect((await eve.raw(api.identity.passkeyRename, { id: passkey.id, name: 'mine' })).code).toBe('passkey.not_found')
    expect((await eve.raw(api.identity.passkeyRemove, { id: passkey.id })).code).toBe('passkey.not_found')
  })

  test('are for the host of ServerAddress where one is set', async () => {
    await setOptions(app, { ServerAddress: 'https://yard.example' })
    const anna = await person(app)
    expect(await anna.call(api.identity.passkeyOptions, {})).toMatchObject({ rp: { id: 'yard.example' } })
    await setOptions(app, { ServerAddress: '' })
  })
})
