import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventually } from '#server/testing/eventually.ts'
import { expectCharge, expectFree } from '#server/testing/expect-charge.ts'
import { type Behaviour, errorAnswer } from '#server/testing/fake-upstream.ts'
import { startRawUpstream } from '#server/testing/raw-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { responsesIn, type ShownResponse } from '#server/testing/responses-scene.ts'

const timeoutMs = 1000
/** Longer than a plain request may wait for a head, or a byte. */
const longMs = 2.5 * timeoutMs

const answer = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'm',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'hello', annotations: [] }],
    },
  ],
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
}
const quick: Behaviour = () => Response.json(answer)
const slow: Behaviour = async () => {
  await Bun.sleep(longMs)
  return Response.json(answer)
}

describe.each(['own', 'fetch'])('work in the background, by the upstream client %s', (upstreamClient) => {
  let scene: RelayScene
  beforeAll(async () => {
    const seconds = String(timeoutMs / 1000)
    scene = await startRelayScene({
      env: { UPSTREAM_CLIENT: upstreamClient, UPSTREAM_HEADERS_TIMEOUT: seconds, UPSTREAM_IDLE_TIMEOUT: seconds },
    })
  })
  afterEach(async () => {
    expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
    await scene.clear()
  })
  afterAll(() => scene.stop())
  const { call, respond } = responsesIn(() => scene)

  const ended = (id: string) =>
    eventually(
      async () => (await (await call('GET', `/v1/responses/${id}`)).json()) as ShownResponse,
      ({ status }) => status !== 'queued' && status !== 'in_progress',
    )

  test('takes longer than a head may, is asked once and paid once', async () => {
    await scene.option('RetryTimes', 3)
    const first = await scene.channel(slow, { priority: 9 })
    const second = await scene.channel(quick)
    const bill = await scene.bill(async () => {
      const { body } = await respond({ input: 'hi', background: true })
      expect((await ended(body.id)).status).toBe('completed')
    })
    expectCharge(bill, 30, { channel: first.id, tried: String(first.id) })
    expect([first.seen.length, second.seen.length]).toEqual([1, 0])
  }, 20_000)

  test('may fall silent behind its head as long', async () => {
    const body = JSON.stringify(answer)
    const raw = startRawUpstream(async (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`)
      await Bun.sleep(longMs)
      socket.write(body)
    })
    await scene.channel(quick, { base_url: raw.url })
    const bill = await scene.bill(async () => {
      expect((await ended((await respond({ input: 'hi', background: true })).body.id)).status).toBe('completed')
    })
    expectCharge(bill, 30)
    raw.stop()
  }, 20_000)

  test('that its vendor breaks off is not asked again, fails and costs nothing', async () => {
    await scene.option('RetryTimes', 3)
    const raw = startRawUpstream((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"id":')
      socket.end()
    })
    const first = await scene.channel(quick, { base_url: raw.url, priority: 9 })
    const second = await scene.channel(quick)
    const bill = await scene.bill(async () => {
      expect((await ended((await respond({ input: 'hi', background: true })).body.id)).status).toBe('failed')
    })
    expectFree(bill, { outcome: 'failed', tried: String(first.id) })
    expect(second.seen).toHaveLength(0)
    raw.stop()
  }, 20_000)

  test('that its vendor refuses to begin is asked of the next channel', async () => {
    await scene.option('RetryTimes', 3)
    const first = await scene.channel(errorAnswer(503, { message: 'overloaded' }), { priority: 9 })
    const second = await scene.channel(quick)
    const bill = await scene.bill(async () => {
      expect((await ended((await respond({ input: 'hi', background: true })).body.id)).status).toBe('completed')
    })
    expectCharge(bill, 30, { channel: second.id, tried: `${first.id},${second.id}` })
  })

  test('does not help a plain request, which is given up in time', async () => {
    const first = await scene.channel(slow)
    const bill = await scene.bill(async () => {
      const refused = await scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi' })
      expect(refused.status).toBe(504)
    })
    expectFree(bill, { outcome: 'failed', tried: String(first.id) })
  }, 20_000)
})
