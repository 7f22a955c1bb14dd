import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { accountApi } from '#shared/api/account.ts'
import { historyApi } from '#shared/api/history.ts'
import { usersApi } from '#shared/api/users.ts'

let app: TestApp
let admin: SignedIn
let root: SignedIn
beforeAll(async () => {
  app = await borrowApp()
  admin = await signIn(app, { role: 'admin' })
  root = await signIn(app, { role: 'root' })
})
afterAll(() => app.stop())

const shown = (id: number) => root.call(usersApi.get, { id })

test('several users are banned, let in again and given groups at once, one entry of the history each', async () => {
  const people = [await signIn(app), await signIn(app)]
  const ids = people.map(({ userId }) => userId)
  const { total } = await root.call(historyApi.list, { kind: 'user' })
  expect(await admin.call(usersApi.batch, { ids, change: { status: 2 } })).toBe(2)
  for (const person of people) expect((await person.raw(accountApi.self, {})).code).toBe('auth.banned')
  await admin.call(usersApi.batch, { ids, change: { status: 1, group: 'vip' } })
  for (const id of ids) expect(await shown(id)).toMatchObject({ status: 1, group: 'vip' })
  expect((await root.call(historyApi.list, { kind: 'user' })).total).toBe(total + 2)
  const notes = await app.ctx.database.db
    .selectFrom('logs')
    .select('content')
    .where('user_id', 'in', ids)
    .where('type', '=', 3)
    .execute()
  expect(notes.map(({ content }) => content)).toContain(
    `administrator #${admin.userId} changed the user's status from activated to banned`,
  )
})

test('one that is unknown, as high or the actor himself refuses the whole', async () => {
  const { userId } = await signIn(app)
  const peer = await signIn(app, { role: 'admin' })
  for (const wrong of [999_999, peer.userId, root.userId, admin.userId]) {
    const ids = [userId, wrong]
    expect((await admin.raw(usersApi.batch, { ids, change: { status: 2 } })).success).toBe(false)
    expect((await admin.raw(usersApi.batch, { ids, change: { group: 'vip' } })).success).toBe(false)
    expect((await admin.raw(usersApi.removeBatch, { ids: ids.join(',') })).success).toBe(false)
  }
  expect(await shown(userId)).toMatchObject({ status: 1, group: 'default' })
})

test('roles and money are no part of a batch', async () => {
  const { userId } = await signIn(app)
  for (const change of [{ role: 100 }, { quota: 5 }, {}]) {
    const body = JSON.stringify({ ids: [userId], change })
    const answer = await admin.fetch('/api/user/batch', { method: 'PUT', body })
    expect(await answer.json()).toMatchObject({ success: false })
  }
})

test('several accounts are deleted at once', async () => {
  const ids = [(await signIn(app)).userId, (await signIn(app)).userId]
  expect(await admin.call(usersApi.removeBatch, { ids: ids.join(',') })).toBe(2)
  for (const id of ids) expect((await root.raw(usersApi.get, { id })).code).toBe('user.not_found')
})
