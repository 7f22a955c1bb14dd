import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
let root: SignedIn
beforeAll(async () => {
  app = await borrowApp()
  root = await signIn(app, { role: 'root' })
})
afterAll(() => app.stop())

/** What the entries about a thing say was changed. */
async function changesOf(kind: 'user' | 'token', id: number) {
  const { list } = await root.call(api.history.list, { kind, target: String(id), pagesize: 100 })
  return list.flatMap(({ before, after }) => (before && after ? [after] : []))
}

test('what one changes of an own profile is not what another changes of it meanwhile', async () => {
  const admin = await signIn(app, { role: 'admin' })
  const changes = [{ group: 'vip' }, { display_name: 'Anna' }, { username: 'anna' }, { budget: 500 }]
  await Promise.all([
    root.call(api.users.update, { id: admin.userId, group: 'vip' }),
    admin.call(api.account.update, { display_name: 'Anna' }),
    admin.call(api.account.update, { username: 'anna' }),
    root.call(api.users.update, { id: admin.userId, budget: 500 }),
  ])
  const changed = await changesOf('user', admin.userId)
  expect(changed).toHaveLength(changes.length)
  for (const change of changes) expect(changed).toContainEqual(change)
})

test('what one changes of a token is not what another changes of it meanwhile', async () => {
  const admin = await signIn(app, { role: 'admin' })
  const { id } = await admin.call(api.tokens.create, { name: 'shared' })
  const changes = [{ name: 'renamed' }, { models: 'gpt-4o' }, { subnet: '10.0.0.0/8' }, { rpm: 7 }]
  await Promise.all(changes.map((change) => admin.call(api.tokens.update, { id, ...change })))
  const changed = await changesOf('token', id)
  expect(changed).toHaveLength(changes.length)
  for (const change of changes) expect(changed).toContainEqual(change)
})
