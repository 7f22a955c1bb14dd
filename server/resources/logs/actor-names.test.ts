import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { logsApi } from '#shared/api/logs.ts'
import { usersApi } from '#shared/api/users.ts'

let app: TestApp
let admin: SignedIn
let anna: SignedIn

beforeAll(async () => {
  app = await startTestApp()
  admin = await signIn(app, { role: 'admin' })
  anna = await signIn(app)
  await admin.call(usersApi.update, { id: anna.userId, group: 'vip' })
})
afterAll(() => app.stop())

test('what an administrator did is shown with his name, also to the one it was done to', async () => {
  const words = `administrator ${admin.username} (#${admin.userId}) changed the user's group from "default" to "vip"`
  const { list: own } = await anna.call(logsApi.own, { type: 3 })
  expect(own.map(({ content }) => content)).toContain(words)
  const { list } = await admin.call(logsApi.list, { type: 3 })
  expect(list.map(({ content }) => content)).toContain(words)
})
