import { afterAll, beforeAll, expect, test } from 'bun:test'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { channelsApi } from '#shared/api/channels.ts'
import { logsApi } from '#shared/api/logs.ts'
import { optionsApi } from '#shared/api/options.ts'
import { usersApi } from '#shared/api/users.ts'

let app: TestApp
let admin: SignedIn
let anna: SignedIn

beforeAll(async () => {
  app = await borrowApp()
  admin = await signIn(app, { role: 'admin' })
  anna = await signIn(app)
})
afterAll(() => app.stop())

const newest = async (who: SignedIn) => (await who.call(logsApi.own, { type: 3 })).list[0]

test('what an administrator did is shown with his name, in the sentence and in the values', async () => {
  await admin.call(usersApi.update, { id: anna.userId, group: 'vip' })
  const { userId: user, username: name } = admin
  const shown = {
    content: `administrator ${name} (#${user}) changed the user's group from "default" to "vip"`,
    detail: { event: { code: 'user.group', values: { actor: { user, name }, from: 'default', to: 'vip' } } },
  }
  expect(await newest(anna)).toMatchObject(shown)
  const { list } = await admin.call(logsApi.list, { type: 3 })
  expect(list[0]).toMatchObject(shown)
})

test('the row itself names people by their number alone', async () => {
  await admin.call(usersApi.update, { id: anna.userId, display_name: 'Anna' })
  const row = await app.ctx.database.db
    .selectFrom('logs')
    .select(['content', 'detail'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(row.content).toStartWith(`administrator #${admin.userId} changed the user's display name`)
  expect(JSON.parse(row.detail).event.values.actor).toEqual({ user: admin.userId })
})

test('what changed of a channel is a list of parts, and no credential is in them', async () => {
  const key = 'sk-0123456789abcdef'
  await admin.call(channelsApi.create, { name: 'eu', key, models: 'gpt-4o' })
  const { list } = await admin.call(channelsApi.list, {})
  const id = list[0]?.id ?? 0
  await admin.call(channelsApi.update, { id, name: `eu ${key}`, key: 'sk-another-0123456789', status: 2 })
  const row = await newest(admin)
  const changes = [
    { code: 'part.field', values: { field: 'name', from: 'eu', to: 'eu [redacted]' } },
    { code: 'part.key', values: {} },
  ]
  expect(row?.detail).toEqual({
    event: { code: 'channel.disabled_changed', values: { id, name: 'eu [redacted]', type: 'OpenAI', changes } },
  })
  expect(row?.content).toBe(
    `disabled and changed channel ${id} "eu [redacted]" (OpenAI): name from "eu" to "eu [redacted]", key replaced`,
  )
})

test('an option that is secret is in neither sentence nor values', async () => {
  const root = await signIn(app, { role: 'root' })
  await root.call(optionsApi.update, { key: 'SMTPToken', value: 'very secret' })
  expect(await newest(root)).toMatchObject({
    content: 'changed the option SMTPToken',
    detail: { event: { code: 'option.secret_changed', values: { key: 'SMTPToken' } } },
  })
})

test.each([
  ['a row of before', {}],
  ['a row of a version with other events', { event: { code: 'moon.landed', values: { actor: { user: 1 } } } }],
])('%s keeps its sentence', async (_, detail) => {
  const row = { ...emptyLogRow, user_id: anna.userId, type: 3, content: 'did it', detail: JSON.stringify(detail) }
  const at = Math.floor(Date.now() / 1000) + 10
  await app.ctx.database.db
    .insertInto('logs')
    .values({ ...row, created_at: at })
    .execute()
  expect((await newest(anna))?.content).toBe('did it')
})
