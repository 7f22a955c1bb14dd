import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { historyApi } from '#shared/api/history.ts'
import { tokensApi } from '#shared/api/tokens.ts'

let app: TestApp
let anna: SignedIn
let ben: SignedIn
let root: SignedIn
beforeAll(async () => {
  app = await borrowApp()
  anna = await signIn(app)
  ben = await signIn(app)
  root = await signIn(app, { role: 'root' })
})
afterAll(() => app.stop())

const make = async (owner: SignedIn, name: string) => (await owner.call(tokensApi.create, { name })).id
const statusOf = async (owner: SignedIn, id: number) => (await owner.call(tokensApi.get, { id })).status
const tomorrow = () => Math.floor(Date.now() / 1000) + 86_400

test('several tokens are disabled, enabled, given an expiry and deleted at once', async () => {
  const ids = [await make(anna, 'one'), await make(anna, 'two')]
  expect(await anna.call(tokensApi.batch, { ids, change: { status: 2 } })).toBe(2)
  for (const id of ids) expect(await statusOf(anna, id)).toBe(2)
  const expired_time = tomorrow()
  await anna.call(tokensApi.batch, { ids, change: { status: 1, expired_time } })
  expect(await anna.call(tokensApi.get, { id: ids[0] ?? 0 })).toMatchObject({ status: 1, expired_time })
  const answer = await anna.fetch(`/api/token/batch?ids=${ids.join(',')}`, { method: 'DELETE' })
  expect(await answer.json()).toMatchObject({ success: true, data: 2 })
  expect((await anna.raw(tokensApi.get, { id: ids[0] ?? 0 })).code).toBe('token.not_found')
})

test("with a foreign or unknown id nothing changes, neither one's own nor the other's", async () => {
  const [own, foreign] = [await make(anna, 'own'), await make(ben, 'foreign')]
  for (const ids of [
    [own, foreign],
    [own, 999_999],
  ]) {
    const refused = await anna.raw(tokensApi.batch, { ids, change: { status: 2 } })
    expect(refused.message).toBe(`There is none with the id ${ids[1]}; nothing was changed`)
    expect((await anna.raw(tokensApi.removeBatch, { ids: ids.join(',') })).success).toBe(false)
  }
  expect([await statusOf(anna, own), await statusOf(ben, foreign)]).toEqual([1, 1])
})

test('one token that cannot be enabled keeps all as they are, and is named', async () => {
  const [well, over] = [await make(anna, 'well'), await make(anna, 'over')]
  await anna.call(tokensApi.batch, { ids: [well, over], change: { status: 2 } })
  await app.ctx.database.db.updateTable('tokens').set({ expired_time: 1000 }).where('id', '=', over).execute()
  const refused = await anna.raw(tokensApi.batch, { ids: [well, over], change: { status: 1 } })
  expect(refused.message).toContain('"over" has expired')
  expect(await statusOf(anna, well)).toBe(2)
})

test('an empty change, an unknown field and a status of the system are refused', async () => {
  const id = await make(anna, 'kept')
  for (const change of [{}, { remain_quota: 5 }, { status: 3 }]) {
    const body = JSON.stringify({ ids: [id], change })
    const answer = await anna.fetch('/api/token/batch', { method: 'PUT', body })
    expect(await answer.json()).toMatchObject({ success: false })
  }
  expect(await statusOf(anna, id)).toBe(1)
})

test('what an administrator does to several is one entry of the history', async () => {
  const ids = [await make(root, 'a'), await make(root, 'b')]
  const { total } = await root.call(historyApi.list, { kind: 'token' })
  await root.call(tokensApi.batch, { ids, change: { status: 2 } })
  const after = await root.call(historyApi.list, { kind: 'token' })
  expect(after.total).toBe(total + 1)
  await root.call(historyApi.undo, { id: after.list[0]?.id ?? 0 })
  for (const id of ids) expect(await statusOf(root, id)).toBe(1)
})

test('an expiry in the past is refused when it is set, and stays where it already was', async () => {
  const past = Math.floor(Date.now() / 1000) - 60
  const made = await anna.raw(tokensApi.create, { name: 'late', expired_time: past })
  expect(made.message).toBe('the expiry time is in the past')
  const id = await make(anna, 'in time')
  expect((await anna.raw(tokensApi.update, { id, expired_time: past })).message).toBe('the expiry time is in the past')
  expect((await anna.raw(tokensApi.batch, { ids: [id], change: { expired_time: past } })).success).toBe(false)
  await app.ctx.database.db.updateTable('tokens').set({ expired_time: past }).where('id', '=', id).execute()
  expect(await anna.call(tokensApi.update, { id, name: 'renamed', expired_time: past })).toMatchObject({
    name: 'renamed',
  })
})
