import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '#server/testing/pgbouncer.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { newFolder, runCommand } from '#server/testing/run-command.ts'
import { addressOf, startTcpBalancer, type TcpBalancer } from '#server/testing/tcp-balancer.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

const seconds = 5000

describe.if(onPostgres && hasPgBouncer)('nodes behind PgBouncer in transaction mode', () => {
  /** From the pooler to the database. */
  let way: TcpBalancer
  let pooler: PgBouncer
  /** Set up, served and asked through the pooler. */
  let scene: RelayScene
  let neighbour: TestApp
  /** Was not given the address without the pooler. */
  let deaf: TestApp

  beforeAll(async () => {
    const direct = await freshDatabaseUrl()
    way = await startTcpBalancer([addressOf(direct)])
    pooler = await startPgBouncer(`postgres://postgres@127.0.0.1:${way.port}`)
    const databaseUrl = pooler.urlOf(direct)
    const env = { DATABASE_DIRECT_URL: direct }
    scene = await startRelayScene({ databaseUrl, env, timeouts: { anyMs: 3000, shortMs: 1500 } })
    neighbour = await startTestApp({ databaseUrl, env })
    deaf = await startTestApp({ databaseUrl })
    await scene.channel(chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 }))
  })
  afterAll(async () => {
    await scene.stop()
    await neighbour.stop()
    await deaf.stop()
    await pooler.stop()
    await way.stop()
  })

  const statusAt = async (app: TestApp) => {
    const answer = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${scene.key}` },
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
    })
    await answer.arrayBuffer()
    return answer.status
  }

  test('serve many requests at once, and the books hold', async () => {
    const statuses = await Promise.all(Array.from({ length: 60 }, (_, at) => statusAt(at % 2 ? neighbour : scene.app)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await scene.app.ctx.database.db.selectFrom('holds').select('id').execute()).toEqual([])
    expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  })

  test('follow what is changed on another, also one that was not given the direct address', async () => {
    const root = await scene.app.root()
    await root.call(api.options.update, { key: 'SystemName', value: 'Pooled' })
    for (const app of [neighbour, deaf]) {
      const name = async () => (await app.client().call(api.status.status, {})).system_name
      await eventually(name, (got) => got === 'Pooled', seconds)
    }
    const { id } = await scene.app.ctx.database.db.selectFrom('channels').select('id').executeTakeFirstOrThrow()
    const becomes = (status: number) =>
      Promise.all(
        [neighbour, deaf].map((app) =>
          eventually(
            () => statusAt(app),
            (got) => got === status,
            seconds,
          ),
        ),
      )
    await becomes(200)
    await root.call(api.channels.update, { id, status: 2 })
    await becomes(503)
    await root.call(api.channels.update, { id, status: 1 })
    await becomes(200)
    await scene.user.call(api.tokens.update, { id: scene.tokenId, status: 2 })
    await becomes(401)
    await scene.user.call(api.tokens.update, { id: scene.tokenId, status: 1 })
    await becomes(200)
  })

  const allServe = async () => {
    for (const app of [scene.app, neighbour, deaf]) {
      await eventually(
        () => statusAt(app),
        (got) => got === 200,
      )
    }
    expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  }

  test('answer 503 while it is dead, and serve again when it is back', async () => {
    await pooler.kill()
    expect(await statusAt(scene.app)).toBe(503)
    await pooler.start()
    await allServe()
  })

  test('answer 503 while it has no database, and serve again when it has', async () => {
    way.cut()
    expect(await statusAt(scene.app)).toBe(503)
    expect(await statusAt(scene.app)).toBe(503)
    way.mend()
    await allServe()
  }, 60_000)

  test('are set up and proven by commands that go the same way', async () => {
    const empty = pooler.urlOf(await freshDatabaseUrl())
    for (const command of ['migrate', 'reconcile']) {
      expect(await runCommand([command], { DATABASE_URL: empty, DATA_DIR: newFolder() })).toMatchObject({ code: 0 })
    }
  })
})
