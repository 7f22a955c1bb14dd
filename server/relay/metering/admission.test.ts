import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

/** Each request is taken to have 13 tokens in and may have 200 out, at 4 each; and that is what it uses. */
const ask = { max_tokens: 200 }
const used = { prompt_tokens: 13, completion_tokens: 200 }
const cost = 813
const affordable = 7
const parallel = 200

/** Holds every answer back until all requests have come in, so that they really run at the same time. */
async function heldChannel() {
  const all = Promise.withResolvers<void>()
  const channel = await scene.channel(async (seen) => {
    await all.promise
    return chatAnswer('hello', used)(seen)
  })
  return { channel, open: all.resolve }
}

/** Sends them all, alternating between the nodes, and answers the statuses once the refusals are back. */
async function storm(nodes: readonly string[], key: string, open: () => void): Promise<number[]> {
  let refused = 0
  const answers = Array.from({ length: parallel }, async (_, at) => {
    const response = await fetch(`${nodes[at % nodes.length]}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...ask }),
    })
    await response.text()
    if (response.status === 402) refused += 1
    return response.status
  })
  while (refused < parallel - affordable) await Bun.sleep(5)
  open()
  return Promise.all(answers)
}

const counted = (statuses: readonly number[]) => ({
  admitted: statuses.filter((status) => status === 200).length,
  refused: statuses.filter((status) => status === 402).length,
})

async function proven(app: TestApp): Promise<void> {
  expect(await reconcile(app.ctx.database.db)).toEqual([])
  const { db } = app.ctx.database
  const users = await db.selectFrom('users').select('quota').execute()
  const tokens = await db.selectFrom('tokens').select('remain_quota').execute()
  expect(Math.min(...users.map(({ quota }) => quota))).toBeGreaterThanOrEqual(0)
  expect(Math.min(...tokens.map(({ remain_quota }) => remain_quota))).toBeGreaterThanOrEqual(0)
}

describe('200 requests at the same time', () => {
  test('on a balance for seven: seven are let in and nothing goes below zero', async () => {
    await scene.root.call(api.users.update, { id: scene.userId, quota: affordable * cost + cost - 1 })
    const { channel, open } = await heldChannel()
    const before = await scene.books()
    expect(counted(await storm([scene.app.url], scene.key, open))).toEqual({
      admitted: affordable,
      refused: parallel - affordable,
    })
    expect(channel.seen).toHaveLength(affordable)
    const after = await scene.books()
    expect(after).toMatchObject({ userQuota: cost - 1, requests: before.requests + affordable, holds: 0 })
    expect(before.tokenRemain - after.tokenRemain).toBe(affordable * cost)
    await proven(scene.app)
  })

  test("on a token's quota for seven, whatever its user has: the same", async () => {
    await scene.root.call(api.users.update, { id: scene.userId, quota: 1_000_000 })
    const token = await scene.user.call(api.tokens.create, { name: 'small', remain_quota: affordable * cost + 10 })
    const { channel, open } = await heldChannel()
    expect(counted(await storm([scene.app.url], `sk-${token.key}`, open))).toEqual({
      admitted: affordable,
      refused: parallel - affordable,
    })
    expect(channel.seen).toHaveLength(affordable)
    expect((await scene.books()).userQuota).toBe(1_000_000 - affordable * cost)
    expect((await scene.user.call(api.tokens.get, { id: token.id })).remain_quota).toBe(10)
    await proven(scene.app)
  })

  test.skipIf(!onPostgres)('on two nodes: seven together', async () => {
    await scene.root.call(api.users.update, { id: scene.userId, quota: affordable * cost })
    const other = await startTestApp({ databaseUrl: scene.app.ctx.config.DATABASE_URL })
    try {
      const { channel, open } = await heldChannel()
      const statuses = await storm([scene.app.url, other.url], scene.key, open)
      expect(counted(statuses)).toEqual({ admitted: affordable, refused: parallel - affordable })
      expect(channel.seen).toHaveLength(affordable)
      expect(await scene.books()).toMatchObject({ userQuota: 0, holds: 0 })
      await proven(scene.app)
    } finally {
      await other.stop()
    }
  })
})
