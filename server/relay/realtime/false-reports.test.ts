import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type RelayScene, startingQuota, startRelayScene } from '#server/testing/relay-scene.ts'
import { openSocket } from '#server/testing/socket-client.ts'
import { type SocketUpstream, startSocketUpstream } from '#server/testing/socket-upstream.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
let vendor: SocketUpstream
let usage: Record<string, unknown> | undefined
const words = 'hello '.repeat(100)

beforeAll(async () => {
  scene = await startRelayScene()
  vendor = startSocketUpstream((socket, frame) => {
    if (!String(frame).includes('response.create')) return
    socket.send(JSON.stringify({ type: 'response.created', response: { id: 'r' } }))
    socket.send(JSON.stringify({ type: 'response.output_text.delta', response_id: 'r', delta: words }))
    socket.send(JSON.stringify({ type: 'response.done', response: { id: 'r', status: 'completed', usage } }))
  })
})
afterEach(async () => {
  await scene.root.call(api.users.update, { id: scene.userId, quota: startingQuota })
  await scene.clear()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await vendor.stop()
  await scene.stop()
})

const open = () =>
  openSocket(`${scene.app.url}/v1/realtime?model=gpt-realtime`, { headers: { authorization: `Bearer ${scene.key}` } })
const channel = () => scene.channel(() => new Response(), { models: 'gpt-realtime', base_url: vendor.url })

describe('an answer of a session', () => {
  test.each([
    ['nothing', undefined],
    ['more than there can be', { total_tokens: 3e15, input_tokens: 1e15, output_tokens: 2e15 }],
    ['less than nothing', { total_tokens: -5, input_tokens: -2, output_tokens: -3 }],
    ['what is no number', { total_tokens: 'many', input_tokens: null, output_tokens: {} }],
  ])('whose vendor reports %s costs what was seen of it', async (_, reported) => {
    await channel()
    usage = reported
    const bill = await scene.bill(async () => {
      const client = await open()
      client.say({ type: 'response.create' })
      await client.frame('response.done')
      client.leave()
      await eventually(scene.books, ({ holds }) => holds === 0)
    })
    // A hundred words and more at $16 a million, which are 8 each.
    expect(-bill.user).toBeGreaterThanOrEqual(800)
    expect(-bill.user).toBeLessThan(4000)
    expect(bill.rows).toHaveLength(1)
  })
})

test('a balance for one session is not spent by ten at once', async () => {
  await channel()
  usage = { total_tokens: 2000, input_tokens: 1000, output_tokens: 1000 }
  await scene.root.call(api.users.update, { id: scene.userId, quota: 10_000 })
  const opened = await Promise.all(Array.from({ length: 10 }, () => open().catch(() => null)))
  const clients = opened.filter((client) => client !== null)
  expect(clients).toHaveLength(1)
  for (const client of clients) {
    client.say({ type: 'response.create' })
    expect((await client.end()).code).toBe(1008)
  }
  const { userQuota } = await eventually(scene.books, ({ holds }) => holds === 0)
  expect(userQuota).toBe(0)
})
