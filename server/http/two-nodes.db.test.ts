import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
import { freshDatabaseUrl } from '#server/testing/test-database.ts'
import { accountApi } from '#shared/api/account.ts'
import { authApi } from '#shared/api/auth.ts'
import { usersApi } from '#shared/api/users.ts'

let one: TestApp
let two: TestApp
let root: TestClient

beforeAll(async () => {
  const databaseUrl = await freshDatabaseUrl()
  one = await startTestApp({ databaseUrl })
  two = await startTestApp({ databaseUrl })
  root = await one.root()
})
afterAll(async () => {
  await one.stop()
  await two.stop()
})

const onOther = (person: SignedIn): TestClient => {
  const client = two.client()
  client.cookie = person.cookie
  return client
}

test('a session begun on one node is good on the other', async () => {
  const anna = await signIn(one)
  expect((await onOther(anna).call(accountApi.self, {})).id).toBe(anna.userId)
})

test('a ban on one node holds on the other with the next request', async () => {
  const anna = await signIn(one)
  await root.call(usersApi.manage, { username: anna.username, action: 'disable' })
  expect((await onOther(anna).raw(accountApi.self, {})).status).toBe(403)
  await root.call(usersApi.manage, { username: anna.username, action: 'enable' })
  expect((await onOther(anna).raw(accountApi.self, {})).success).toBe(true)
})

test('a demotion on one node holds on the other with the next request', async () => {
  const anna = await signIn(one, { role: 'admin' })
  expect((await onOther(anna).raw(usersApi.list, {})).success).toBe(true)
  await root.call(usersApi.manage, { username: anna.username, action: 'demote' })
  expect((await onOther(anna).raw(usersApi.list, {})).status).toBe(403)
})

test('a password changed on one node ends the other sessions on the other', async () => {
  const anna = await signIn(one)
  const elsewhere = onOther(anna)
  await root.call(usersApi.update, { id: anna.userId, password: 'new password' })
  expect((await elsewhere.raw(accountApi.self, {})).status).toBe(401)
  await elsewhere.call(authApi.login, { username: anna.username, password: 'new password' })
  const here = one.client()
  await here.call(authApi.login, { username: anna.username, password: 'new password' })
  await elsewhere.call(accountApi.update, { password: 'newer password' })
  expect((await here.raw(accountApi.self, {})).status).toBe(401)
  expect((await elsewhere.raw(accountApi.self, {})).success).toBe(true)
})

test('a deleted account is gone on the other with the next request', async () => {
  const anna = await signIn(one)
  await root.call(usersApi.manage, { username: anna.username, action: 'delete' })
  expect((await onOther(anna).raw(accountApi.self, {})).status).toBe(401)
})

test('a database that is gone means come back later, never log in again', async () => {
  const lost = await startTestApp()
  const anna = await signIn(lost)
  const token = await anna.call(accountApi.accessToken, {})
  await lost.ctx.database.close()
  const gone = { status: 503, success: false, code: 'server.unavailable' }
  expect(await anna.raw(accountApi.self, {})).toMatchObject(gone)
  expect(await lost.client({ authorization: token }).raw(accountApi.self, {})).toMatchObject(gone)
  expect(await lost.client().raw(authApi.login, { username: 'root', password: 'x' })).toMatchObject(gone)
  expect(await anna.raw(authApi.oauthState, {})).toMatchObject(gone)
})
