import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { affordable, cost, heldChannel, parallel, proven, storm } from '#server/testing/storm.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

describe('200 requests at the same time', () => {
  test('on a balance for seven: seven are let in and nothing goes below zero', async () => {
    await scene.root.call(api.users.update, { id: scene.userId, quota: affordable * cost + cost - 1 })
    const { channel, open } = await heldChannel(scene)
    const before = await scene.books()
    expect(await storm([scene.app.url], scene.key, open)).toEqual({
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
    const { channel, open } = await heldChannel(scene)
    expect(await storm([scene.app.url], `sk-${token.key}`, open)).toEqual({
      admitted: affordable,
      refused: parallel - affordable,
    })
    expect(channel.seen).toHaveLength(affordable)
    expect((await scene.books()).userQuota).toBe(1_000_000 - affordable * cost)
    expect((await scene.user.call(api.tokens.get, { id: token.id })).remain_quota).toBe(10)
    await proven(scene.app)
  })

  test.skipIf(!onPostgres)('on two nodes: seven are let in by both together', async () => {
    await scene.root.call(api.users.update, { id: scene.userId, quota: affordable * cost })
    const other = await startTestApp({ databaseUrl: scene.app.ctx.config.DATABASE_URL })
    try {
      const { channel, open } = await heldChannel(scene)
      expect(await storm([scene.app.url, other.url], scene.key, open)).toEqual({
        admitted: affordable,
        refused: parallel - affordable,
      })
      expect(channel.seen).toHaveLength(affordable)
      expect(await scene.books()).toMatchObject({ userQuota: 0, holds: 0 })
      await proven(scene.app)
    } finally {
      await other.stop()
    }
  })
})
