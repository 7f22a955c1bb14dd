import { afterAll, beforeAll, expect, test } from 'bun:test'
import { parseRoute } from '#server/db/logs/route-record.ts'
import { expectCharge } from '#server/testing/expect-charge.ts'
import { deltaFrame, doneFrame, eventStream, finishFrame, usageFrame } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterAll(() => scene.stop())

test('a stream whose answer was foretold is read to its end: what does not come true is paid, and was held', async () => {
  const gate = Promise.withResolvers<void>()
  const usage = { prompt_tokens: 10, completion_tokens: 10_000 }
  await scene.channel(eventStream(deltaFrame('no'), gate.promise, finishFrame(), usageFrame(usage), doneFrame))
  const bill = await scene.bill(async () => {
    const leaving = new AbortController()
    const prediction = { type: 'content', content: 'word '.repeat(10_000) }
    const answer = await scene.chat({ stream: true, max_tokens: 100, prediction }, { signal: leaving.signal })
    await answer.body?.getReader().read()
    leaving.abort()
    // The relay has to notice it before the answer ends.
    await Bun.sleep(400)
    gate.resolve()
  })
  expectCharge(bill, 40_010, { outcome: 'cut', completion_tokens: 10_000 })
  const rows = scene.app.ctx.database.db.selectFrom('logs').select('route').orderBy('id', 'desc').limit(1)
  expect(parseRoute((await rows.executeTakeFirstOrThrow()).route).reserve).toBeGreaterThanOrEqual(40_010)
})
