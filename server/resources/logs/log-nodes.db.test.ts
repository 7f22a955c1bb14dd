import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { logsApi } from '#shared/api/logs.ts'

const door = '/v1/chat/completions'
const requestsEach = 25

let scene: RelayScene
let others: TestApp[]
beforeAll(async () => {
  if (!onPostgres) return
  const databaseUrl = await freshDatabaseUrl()
  scene = await startRelayScene({ databaseUrl, quota: 1_000_000_000, tokenQuota: 1_000_000_000 })
  others = [await startTestApp({ databaseUrl }), await startTestApp({ databaseUrl })]
})
afterAll(async () => {
  for (const app of others ?? []) await app.stop()
  await scene?.stop()
})

describe.skipIf(!onPostgres)('the live tail over three nodes', () => {
  test('shows on each of them every request of all, once and in order, also after clearing', async () => {
    await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }))
    const nodes = [scene.app, ...others]
    const ask = async ({ url }: TestApp, at: number) => {
      const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: `question ${at}` }] })
      const answer = await fetch(url + door, {
        method: 'POST',
        headers: { authorization: `Bearer ${scene.key}` },
        body,
      })
      expect(answer.status).toBe(200)
      await answer.text()
    }
    await ask(scene.app, 0)
    const clients: TestClient[] = []
    for (const node of nodes) clients.push(await node.root())
    const [first] = (await scene.root.call(logsApi.list, { type: 2 })).list
    const start = first?.id ?? 0

    let isOver = false
    const followed = clients.map(async (client) => {
      const seen: number[] = []
      for (;;) {
        const isLast = isOver
        const { list } = await client.call(logsApi.list, { type: 2, after_id: seen.at(-1) ?? start, pagesize: 100 })
        seen.push(...list.map(({ id }) => id))
        if (isLast && list.length === 0) return seen
      }
    })
    await Promise.all(
      nodes.flatMap((node) =>
        Array.from({ length: requestsEach }, (_, at) => Bun.sleep(at * 10).then(() => ask(node, at))),
      ),
    )
    isOver = true
    const seen = await Promise.all(followed)
    const { db } = scene.app.ctx.database
    const rows = await db
      .selectFrom('logs')
      .select('id')
      .where('type', '=', 2)
      .where('id', '>', start)
      .orderBy('id')
      .execute()
    expect(rows).toHaveLength(nodes.length * requestsEach)
    for (const ids of seen) expect(ids).toEqual(rows.map(({ id }) => id))

    const last = rows.at(-1)?.id ?? 0
    await scene.root.call(logsApi.clear, { target_timestamp: Math.floor(Date.now() / 1000) + 60 })
    await ask(nodes[1] ?? scene.app, 1)
    for (const client of clients)
      expect((await client.call(logsApi.list, { type: 2, after_id: last })).list).toHaveLength(1)
  }, 60_000)
})
