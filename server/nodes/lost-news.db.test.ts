import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { expectCharge } from '#server/testing/expect-charge.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { addressOf, startTcpBalancer, type TcpBalancer } from '#server/testing/tcp-balancer.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'
import { tokenStatus } from '#shared/statuses.ts'

describe.if(onPostgres)('a node that has lost only its connection for news', () => {
  let way: TcpBalancer
  let scene: RelayScene
  let neighbour: TestApp
  let elsewhere: TestClient

  beforeAll(async () => {
    const databaseUrl = await freshDatabaseUrl()
    way = await startTcpBalancer([addressOf(databaseUrl)])
    const detour = new URL(databaseUrl)
    detour.port = String(way.port)
    scene = await startRelayScene({ databaseUrl, env: { DATABASE_DIRECT_URL: detour.toString() } })
    neighbour = await startTestApp({ databaseUrl })
    elsewhere = await neighbour.root()
    await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }))
  })
  afterEach(() => way.mend())
  afterAll(async () => {
    await scene.stop()
    await neighbour.stop()
    await way.stop()
  })

  const ask = async () => expect((await scene.chat()).status).toBe(200)

  test('charges the price that was set elsewhere since', async () => {
    expectCharge(await scene.bill(ask), 30)
    way.cut()
    await elsewhere.call(api.options.update, { key: 'ModelRatio', value: '{"gpt-4o": 2}' })
    expectCharge(await scene.bill(ask), 60)
  })

  test('admits nobody from memory, from the first request on', async () => {
    await ask()
    way.cut()
    const disable = { id: scene.tokenId, status: tokenStatus.disabled, status_only: true } as const
    const owner = neighbour.client()
    owner.cookie = scene.user.cookie
    await owner.call(api.tokens.update, disable)
    expect((await scene.chat()).status).toBe(401)
  })
})
