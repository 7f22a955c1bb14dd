import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { accountApi } from '#shared/api/account.ts'
import { historyApi } from '#shared/api/history.ts'
import { redemptionsApi } from '#shared/api/redemptions.ts'

let app: TestApp
let admin: SignedIn
let user: SignedIn
beforeAll(async () => {
  app = await borrowApp()
  admin = await signIn(app, { role: 'root' })
  user = await signIn(app)
})
afterAll(() => app.stop())

const now = () => Math.floor(Date.now() / 1000)
const codeOf = (id: number) => admin.call(redemptionsApi.get, { id })

async function make(more: { expired_time?: number } = {}): Promise<{ id: number; key: string }> {
  const [key = ''] = await admin.call(redemptionsApi.create, { name: 'code', quota: 10, ...more })
  return { id: (await admin.call(redemptionsApi.list, { pagesize: 1 })).list[0]?.id ?? 0, key }
}

test('several codes are disabled, enabled and deleted at once, each one entry of the history', async () => {
  const ids = [(await make()).id, (await make()).id]
  const { total } = await admin.call(historyApi.list, { kind: 'redemption' })
  expect(await admin.call(redemptionsApi.batch, { ids, change: { status: 2 } })).toBe(2)
  for (const id of ids) expect((await codeOf(id)).status).toBe(2)
  expect(await admin.call(redemptionsApi.removeBatch, { ids: ids.join(',') })).toBe(2)
  expect((await admin.call(historyApi.list, { kind: 'redemption' })).total).toBe(total + 2)
  expect((await admin.raw(redemptionsApi.get, { id: ids[0] ?? 0 })).code).toBe('redemption.not_found')
})

test('a code that is used or unknown refuses the whole', async () => {
  const [fresh, used] = [await make(), await make()]
  await user.call(accountApi.topUp, { key: used.key })
  const refused = await admin.raw(redemptionsApi.batch, { ids: [fresh.id, used.id], change: { status: 2 } })
  expect(refused.message).toContain('has been used')
  expect((await admin.raw(redemptionsApi.batch, { ids: [fresh.id, 99_999], change: { status: 2 } })).success).toBe(
    false,
  )
  expect((await admin.raw(redemptionsApi.removeBatch, { ids: `${fresh.id},99999` })).success).toBe(false)
  expect((await codeOf(fresh.id)).status).toBe(1)
})

test('a used code says who used it', async () => {
  const { id, key } = await make()
  expect(await codeOf(id)).toMatchObject({ redeemed_by: 0, redeemed_by_name: '', expired_time: 0 })
  await user.call(accountApi.topUp, { key })
  const { username } = await user.call(accountApi.self, {})
  expect(await codeOf(id)).toMatchObject({ redeemed_by: user.userId, redeemed_by_name: username })
})

test('a code is worth nothing after its time, and changes no balance', async () => {
  const { id, key } = await make({ expired_time: now() + 1000 })
  const before = (await user.call(accountApi.self, {})).quota
  await app.ctx.database.db
    .updateTable('redemptions')
    .set({ expired_time: now() - 1 })
    .where('id', '=', id)
    .execute()
  expect((await user.raw(accountApi.topUp, { key })).message).toBe('Redemption failed, this code has expired')
  expect((await user.call(accountApi.self, {})).quota).toBe(before)
  await admin.call(redemptionsApi.update, { id, expired_time: now() + 1000 })
  expect(await user.call(accountApi.topUp, { key })).toBe(10)
})

test('an expiry in the past is refused', async () => {
  const past = { expired_time: now() - 60 }
  expect((await admin.raw(redemptionsApi.create, { name: 'late', ...past })).message).toBe(
    'the expiry time is in the past',
  )
  const { id } = await make()
  expect((await admin.raw(redemptionsApi.update, { id, ...past })).success).toBe(false)
  expect((await admin.raw(redemptionsApi.batch, { ids: [id], change: past })).success).toBe(false)
})
