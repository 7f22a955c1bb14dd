import { afterEach, beforeEach, expect, test } from 'bun:test'
import { epochSeconds } from '#server/context.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, type SceneChannel, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

const usage = { prompt_tokens: 10, completion_tokens: 5 }
const good = chatAnswer('hello', usage)
/** How long the first channel takes to fail. */
const lostMs = 400

let scene: RelayScene
let failing: SceneChannel
let rescuing: SceneChannel
let isFailing = false
beforeEach(async () => {
  scene = await startRelayScene()
  await scene.option('RetryTimes', 1)
  failing = await scene.channel(
    async (seen) => {
      if (!isFailing) return good(seen)
      await Bun.sleep(lostMs)
      return Response.json({ error: { message: 'overloaded' } }, { status: 503 })
    },
    { name: 'failing', priority: 9 },
  )
  rescuing = await scene.channel(good, { name: 'rescuing' })
})
afterEach(() => scene.stop())

/** Eight requests, five of which another channel answers. */
async function ask(): Promise<void> {
  for (const fails of [true, false, true, true, false, true, true, false]) {
    isFailing = fails
    expect((await scene.chat()).status).toBe(200)
  }
}

const range = () => {
  const to = epochSeconds(scene.app.ctx) + 1
  return { scope: 'all', from: to - 3600, to } as const
}

async function figures() {
  const { list } = await scene.root.call(api.usage.table, { ...range(), by: 'channel' })
  const of = (channel: SceneChannel) => list.find(({ key }) => key === String(channel.id))
  expect(of(failing)).toMatchObject({ requests: 3, failed: 0, error_share: 0.625 })
  expect(of(rescuing)).toMatchObject({ requests: 5, failed: 0, error_share: 0 })
  expect(of(failing)?.quota).toBe(3 * 30)
  expect(of(rescuing)?.quota).toBe(5 * 30)
  // The time that was lost is that of who lost it.
  expect(of(failing)?.first_byte_p50_ms).toBeGreaterThan(lostMs * 0.9)
  expect(of(rescuing)?.first_byte_p95_ms).toBeLessThan(lostMs * 0.9)

  const { series } = await scene.root.call(api.usage.series, { ...range(), by: 'channel', first_byte: 'true' })
  const line = series.find(({ key }) => key === String(failing.id))
  const sum = (name: 'made' | 'failed') => line?.attempts?.[name].reduce((all, each) => all + each, 0)
  expect([sum('made'), sum('failed')]).toEqual([8, 5])
  expect(line?.first_byte?.period_p50_ms).toBeGreaterThan(lostMs * 0.9)

  const filtered = await scene.root.call(api.usage.summary, { ...range(), channel: String(failing.id) })
  expect(filtered).toMatchObject({ totals: { requests: 3, failed: 0 }, error_share: 0.625 })

  const { list: channels } = await scene.root.call(api.channels.list, {})
  const share = (channel: SceneChannel) => channels.find(({ id }) => id === channel.id)?.success_share
  expect([share(failing), share(rescuing)]).toEqual([0.375, 1])

  const explained = await scene.root.call(api.routing.explain, { model: 'gpt-4o', group: 'default' })
  expect(explained.candidates.find(({ channel_id }) => channel_id === failing.id)).toMatchObject({ error_share: 0.625 })

  const simulated = await scene.root.call(api.routing.simulate, { from: range().from, to: range().to, channels: [] })
  expect(simulated.failed.now).toBeCloseTo(0.625)

  // Whoever does not ask about channels reads of requests: all of them were answered, and clients waited.
  const whole = await scene.root.call(api.usage.summary, range())
  expect(whole).toMatchObject({ totals: { requests: 8, failed: 0 }, error_share: 0 })
  expect(whole.first_byte_p50_ms).toBeGreaterThan(lostMs * 0.9)
  const [model] = (await scene.root.call(api.usage.table, { ...range(), by: 'model' })).list
  expect(model).toMatchObject({ requests: 8, failed: 0 })
}

test.each([true, false])(
  'each attempt counts for the channel it was made on, whether requests are logged or not (%p)',
  async (logged) => {
    await scene.option('LogConsumeEnabled', logged)
    await ask()
    await figures()
    await foldLogs(scene.app.ctx)
    await figures()
  },
  60_000,
)

test('a request that nobody answers counts once for each channel that failed it', async () => {
  isFailing = true
  await scene.root.call(api.channels.update, { id: rescuing.id, base_url: failing.url, key: 'another' })
  expect((await scene.chat()).status).toBe(503)
  await foldLogs(scene.app.ctx)
  const { list } = await scene.root.call(api.usage.table, { ...range(), by: 'channel' })
  const of = (channel: SceneChannel) => list.find(({ key }) => key === String(channel.id))
  expect([of(failing)?.error_share, of(rescuing)?.error_share]).toEqual([1, 1])
  expect((await scene.root.call(api.usage.summary, range())).totals).toMatchObject({ requests: 1, failed: 1 })
}, 60_000)
