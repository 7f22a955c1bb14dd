import { afterAll, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { closing, holdOf } from '#server/testing/settlements.ts'
import { openSocket } from '#server/testing/socket-client.ts'
import { type SocketUpstream, startSocketUpstream } from '#server/testing/socket-upstream.ts'

const balance = 300_000
const words = 'many words are said in this answer '.repeat(200)

let scene: RelayScene
let vendor: SocketUpstream
beforeAll(async () => {
  scene = await startRelayScene({ quota: balance, tokenQuota: balance })
  vendor = startSocketUpstream(async (socket, frame) => {
    if (!String(frame).includes('response.create')) return
    socket.send(JSON.stringify({ type: 'response.created', response: { id: 'r' } }))
    const delta = { type: 'response.output_text.delta', response_id: 'r', item_id: 'i', delta: words }
    while (socket.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify(delta))
      await Bun.sleep(20)
    }
  })
  await scene.channel(() => new Response(), { models: 'gpt-realtime', base_url: vendor.url })
})
afterAll(async () => {
  await vendor.stop()
  await scene.stop()
})

test('what a session holds pays its answer, though others take the balance as soon as there is some', async () => {
  const { ledger, database } = scene.app.ctx
  const party = { userId: scene.userId, tokenId: scene.tokenId }
  const client = await openSocket(`${scene.app.url}/v1/realtime?model=gpt-realtime`, {
    headers: { authorization: `Bearer ${scene.key}` },
  })
  const taken: { id: string; held: number }[] = []
  let isOver = false
  const takers = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const request = { ...holdOf(1), ...party, wanted: balance }
      const result = await ledger.reserve(request)
      if (result.ok) taken.push({ id: request.id, held: result.held })
      await Bun.sleep(0)
    }
  })
  await eventually(
    () => taken.length,
    (count) => count > 0,
  )
  client.say({ type: 'response.create' })
  expect(await client.end()).toMatchObject({ code: 1008 })
  const { rows } = await eventually(scene.books, (books) => books.rows.length > 0)
  isOver = true
  await Promise.all(takers)
  expect(taken).toHaveLength(1)
  const [first] = taken
  expect(rows[0]?.quota).toBe(balance - (first?.held ?? 0))
  for (const { id } of taken) await ledger.settle({ ...closing(id, 0), ...party })
  expect(await reconcile(database.db)).toEqual([])
})
