import { afterAll, afterEach, beforeAll, expect, mock, spyOn, test } from 'bun:test'
import { providerOf } from '#server/providers/index.ts'
import { expectCharge, expectFree } from '#server/testing/expect-charge.ts'
import { clearFaultScene, good, startFaultScene, stopFaultScene } from '#server/testing/fault-scene.ts'
import type { RelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startFaultScene()
})
afterEach(async () => {
  mock.restore()
  await clearFaultScene(scene)
})
afterAll(() => stopFaultScene(scene))

const body = { model: 'gpt-4o', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] }
const ask = () => scene.post('/v1/messages', body)

/** From now on no request can be written for a channel of the first type. */
const slip = () =>
  spyOn(providerOf(1), 'dialect').mockImplementation(() => {
    throw new TypeError('undefined is not an object')
  })

test('a request we cannot write is our own fault, and is logged with its cause', async () => {
  const channel = await scene.channel(good)
  const logged = spyOn(scene.app.ctx.log, 'error')
  slip()
  const bill = await scene.bill(async () => {
    const answer = await ask()
    expect(answer.status).toBe(500)
    const text = await answer.text()
    expect(text).toContain('internal server error')
    expect(text).not.toContain('undefined is not an object')
  })
  expectFree(bill, { outcome: 'failed' })
  expect(channel.seen).toHaveLength(0)
  expect(logged).toHaveBeenCalledWith(
    'a request could not be written',
    expect.objectContaining({ channel: channel.id, cause: expect.any(TypeError) }),
  )
})

test('its channel does not rest for it, however often it happens', async () => {
  const channel = await scene.channel(good)
  slip()
  for (let round = 0; round < 10; round += 1) expect((await ask()).status).toBe(500)
  mock.restore()
  expectCharge(await scene.bill(ask), 30)
  expect(channel.seen).toHaveLength(1)
})

test('a channel that speaks another dialect is asked instead', async () => {
  await scene.option('RetryTimes', 1)
  const first = await scene.channel(good, { priority: 9 })
  const claude = await scene.channel(
    () =>
      Response.json({
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'hello' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 10, output_tokens: 5 },
      }),
    { type: 14 },
  )
  slip()
  expectCharge(await scene.bill(ask), 30, { tried: `${first.id},${claude.id}` })
})
