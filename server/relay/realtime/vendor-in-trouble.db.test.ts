import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { handshake, openSocket } from '#server/testing/socket-client.ts'
import { type SocketUpstream, startSocketUpstream } from '#server/testing/socket-upstream.ts'

let scene: RelayScene
let vendor: SocketUpstream
/** How a call to open a socket is refused; a plain request finds nothing at the address. */
let refusal: (() => Response) | null = null
let calls = 0

beforeAll(async () => {
  scene = await startRelayScene()
  vendor = startSocketUpstream(() => {})
})
beforeEach(() =>
  vendor.refuse(({ headers }) => {
    if (headers.get('upgrade') !== 'websocket') return new Response('not found', { status: 404 })
    calls += 1
    return refusal?.() ?? null
  }),
)
afterEach(async () => {
  refusal = null
  calls = 0
  await scene.clear()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await vendor.stop()
  await scene.stop()
})

const channel = (more: object = {}) =>
  scene.channel(() => new Response(), { models: 'gpt-realtime', base_url: vendor.url, ...more })
const headers = () => ({ authorization: `Bearer ${scene.key}` })
const address = () => `${scene.app.url}/v1/realtime?model=gpt-realtime`
const open = () => openSocket(address(), { headers: headers() })
const inTrouble = () => new Response('overloaded', { status: 503 })

test.each([500, 502, 503, 504])(
  'a vendor that answers the upgrade with %d is a 502, and costs nothing',
  async (status) => {
    await channel()
    refusal = () => new Response('in trouble', { status })
    const answer = await handshake(address(), headers())
    expect(answer.status).toBe(502)
    expect(await answer.text()).not.toContain('model_not_found')
    const books = await eventually(scene.books, ({ holds }) => holds === 0)
    expect(books.rows[0]).toMatchObject({ quota: 0, outcome: 'failed' })
  },
)

test('its channel rests after the failures a channel may have, and another is asked alone', async () => {
  await scene.option('RetryTimes', 1)
  await channel({ priority: 9, key: 'troubled' })
  await channel({ key: 'good' })
  vendor.refuse(({ headers: sent }) => {
    if (sent.get('authorization') !== 'Bearer troubled') return null
    if (sent.get('upgrade') !== 'websocket') return new Response('not found', { status: 404 })
    calls += 1
    return inTrouble()
  })
  for (let round = 0; round < 5; round += 1) (await open()).leave()
  const before = calls
  expect(before).toBeGreaterThan(0)
  for (let round = 0; round < 3; round += 1) (await open()).leave()
  expect(calls).toBe(before)
  await eventually(scene.books, ({ holds }) => holds === 0)
})

test('a model the vendor does not know stays a 404, and its channel goes on', async () => {
  await channel()
  refusal = () => Response.json({ error: { message: 'no such model', code: 'model_not_found' } }, { status: 404 })
  for (let round = 0; round < 6; round += 1) expect((await handshake(address(), headers())).status).toBe(404)
  refusal = null
  ;(await open()).leave()
  await eventually(scene.books, ({ holds }) => holds === 0)
})
