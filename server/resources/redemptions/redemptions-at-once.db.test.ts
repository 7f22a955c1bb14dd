import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

test('codes that were used while they were deleted come back as used', async () => {
  const [admin, anna] = [await signIn(app, { role: 'admin' }), await signIn(app)]
  for (let round = 0; round < 5; round += 1) {
    const keys = await admin.call(api.redemptions.create, { name: `round ${round}`, quota: 10, count: 5 })
    const { list } = await admin.call(api.redemptions.list, { pagesize: 5 })
    const ids = list.map(({ id }) => id).join(',')
    const [removed, ...used] = await Promise.all([
      admin.raw(api.redemptions.removeBatch, { ids }),
      ...keys.map((key) => anna.raw(api.account.topUp, { key })),
    ])
    expect(removed.success).toBe(true)
    const { list: entries } = await admin.call(api.history.list, { kind: 'redemption', pagesize: 1 })
    await admin.call(api.history.undo, { id: entries[0]?.id ?? 0 })
    const { list: back } = await admin.call(api.redemptions.list, { pagesize: 5 })
    const usedUp = used.filter(({ success }) => success)
    expect(back.filter(({ status }) => status === 3)).toHaveLength(usedUp.length)
  }
})
