import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.clear()
})
afterAll(() => scene.stop())

const cost = 30

/** Does something while a request runs that holds 813 and costs 30. */
async function whileRunning(work: () => Promise<unknown>): Promise<void> {
  const gate = Promise.withResolvers<void>()
  const channel = await scene.channel(async (seen) => {
    await gate.promise
    return chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })(seen)
  })
  const answer = scene.chat({ max_tokens: 200 })
  while (channel.seen.length === 0) await Bun.sleep(5)
  await work()
  gate.resolve()
  expect((await answer).status).toBe(200)
}

describe('an administrator who sets a quota while a request runs', () => {
  test.each([50_000, 500, 31])('to %i gets that quota, less what the request costs', async (quota) => {
    await whileRunning(() => scene.root.call(api.users.update, { id: scene.userId, quota }))
    expect((await scene.books()).userQuota).toBe(quota - cost)
    await scene.root.call(api.users.update, { id: scene.userId, quota: 1_000_000 })
  })

  test('to nothing gets nothing', async () => {
    await whileRunning(() => scene.root.call(api.users.update, { id: scene.userId, quota: 0 }))
    expect((await scene.books()).userQuota).toBe(0)
    await scene.root.call(api.users.update, { id: scene.userId, quota: 1_000_000 })
  })

  test('by a difference gets the difference, also below what is held', async () => {
    await scene.root.call(api.users.update, { id: scene.userId, quota: 1000 })
    await whileRunning(() => scene.root.call(api.users.update, { id: scene.userId, quota: 100, quota_before: 1000 }))
    expect((await scene.books()).userQuota).toBe(100 - cost)
    await scene.root.call(api.users.update, { id: scene.userId, quota: 1_000_000 })
  })
})

describe('an owner who sets the quota of a token while a request runs', () => {
  test.each([50_000, 500, 31, 0])('to %i gets that quota, less what the request costs', async (quota) => {
    await whileRunning(() => scene.user.call(api.tokens.update, { id: scene.tokenId, remain_quota: quota }))
    const books = await scene.books()
    expect(books.tokenRemain).toBe(Math.max(0, quota - cost))
    await scene.user.call(api.tokens.update, { id: scene.tokenId, remain_quota: 1_000_000, status: 1 })
  })
})

describe('a small token of a rich user', () => {
  test('does not cap what its user pays', async () => {
    const token = await scene.user.call(api.tokens.create, { name: 'small', remain_quota: 1000 })
    await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5000 }))
    const before = await scene.books()
    const response = await scene.chat({ max_tokens: 200 }, { headers: { authorization: `Bearer sk-${token.key}` } })
    expect(response.status).toBe(200)
    const after = await scene.books()
    expect(before.userQuota - after.userQuota).toBe(10 + 4 * 5000)
    expect(await scene.user.call(api.tokens.get, { id: token.id })).toMatchObject({
      remain_quota: 0,
      used_quota: 10 + 4 * 5000,
    })
  })
})
