import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { addressOf, startTcpBalancer, type TcpBalancer } from '#server/testing/tcp-balancer.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

describe.if(onPostgres)('a node whose way to the database breaks', () => {
  let way: TcpBalancer
  let scene: RelayScene
  let neighbour: TestApp

  beforeAll(async () => {
    const databaseUrl = await freshDatabaseUrl()
    way = await startTcpBalancer([addressOf(databaseUrl)])
    const detour = new URL(databaseUrl)
    detour.port = String(way.port)
    scene = await startRelayScene({ databaseUrl: detour.toString(), timeouts: { anyMs: 60_000, shortMs: 300 } })
    neighbour = await startTestApp({ databaseUrl })
    await scene.channel(chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 }))
  })
  afterAll(async () => {
    await scene.stop()
    await neighbour.stop()
    await way.stop()
  })

  const chat = async () => (await scene.chat()).status
  const isBack = (ask: () => Promise<number>) => eventually(ask, (status) => status === 200, 5000)
  const systemName = async () => (await scene.app.client().raw(api.status.status, {})).data?.system_name

  test('answers 503 and never 401, and is back within five seconds with all that changed meanwhile', async () => {
    expect((await scene.chat()).status).toBe(200)
    way.cut()
    const statuses: number[] = []
    for (let at = 0; at < 5; at += 1) {
      statuses.push((await scene.chat()).status, (await scene.user.raw(api.account.self, {})).status)
    }
    expect(new Set(statuses)).toEqual(new Set([503]))

    const elsewhere = await neighbour.root()
    await elsewhere.call(api.options.update, { key: 'SystemName', value: 'changed meanwhile' })
    way.mend()
    await eventually(systemName, (name) => name === 'changed meanwhile', 5000)
    await isBack(chat)
    expect((await scene.user.raw(api.account.self, {})).status).toBe(200)
    await elsewhere.call(api.options.update, { key: 'SystemName', value: 'and later' })
    await eventually(systemName, (name) => name === 'and later', 5000)
  })

  test('is not held up by a database that keeps its connections and says nothing', async () => {
    const self = async () => (await scene.user.raw(api.account.self, {})).status
    expect((await scene.chat()).status).toBe(200)
    expect(await Promise.all([self(), self(), self()])).toEqual([200, 200, 200])
    way.hush()
    expect((await scene.chat()).status).toBe(503)
    expect(await self()).toBe(503)
    way.mend()
    await isBack(self)
    await isBack(chat)
  }, 15_000)
})
