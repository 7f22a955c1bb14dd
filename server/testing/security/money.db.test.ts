import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

test.each([
  ['far above all integers', 1e300, 1e300],
  ['at the edge of exact integers', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ['past 32 bits', 2 ** 31, 2 ** 32],
  ['below zero', -1e12, -1e12],
  ['in fractions', 0.5, 0.5],
])(
  'usage reported %s never pays anybody and takes no more than there is',
  async (_, prompt_tokens, completion_tokens) => {
    await scene.channel(chatAnswer('hello', { prompt_tokens, completion_tokens }))
    const before = await scene.books()
    await (await scene.chat({ max_tokens: 10 })).text()
    const after = await scene.books()
    expect(after.userQuota).toBeGreaterThanOrEqual(0)
    expect(after.userQuota).toBeLessThanOrEqual(before.userQuota)
    expect(after.userUsed - before.userUsed).toBe(before.userQuota - after.userQuota)
    expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
    await scene.root.call(api.users.update, { id: scene.userId, quota: 1_000_000 })
    await scene.user.call(api.tokens.update, { id: scene.tokenId, name: 'test', remain_quota: 1_000_000, status: 1 })
  },
)

test.each([-1, -(2 ** 31), 2 ** 31, 1e300, 1.5, '10', {}])(
  'max_tokens of %j is refused and nothing is held',
  async (max_tokens) => {
    await scene.channel(chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 }))
    const bill = await scene.bill(async () => {
      expect((await scene.chat({ max_tokens })).status).toBe(400)
    })
    expect(bill).toMatchObject({ user: 0, token: 0, holds: 0 })
  },
)

test.each([-1, 1.5, 2 ** 53, 1e300, null, '5'])('a quota of %j is refused wherever one is given', async (quota) => {
  const before = await scene.books()
  const send = (client: typeof scene.root, method: string, path: string, body: object) =>
    client
      .fetch(path, { method, body: JSON.stringify(body) })
      .then((answer) => answer.json() as Promise<{ success: boolean }>)
  const answers = await Promise.all([
    send(scene.root, 'PUT', '/api/user/', { id: scene.userId, quota }),
    send(scene.root, 'POST', '/api/redemption/', { name: 'r', quota, count: 1 }),
    send(scene.user, 'POST', '/api/token/', { name: 't', remain_quota: quota }),
    send(scene.user, 'PUT', '/api/token/', { id: scene.tokenId, name: 'test', remain_quota: quota }),
  ])
  expect(answers.map(({ success }) => success)).toEqual([false, false, false, false])
  expect(await scene.books()).toEqual(before)
})
