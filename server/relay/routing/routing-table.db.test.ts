import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { createRouting } from './routing-table.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterAll(() => scene.stop())

test('a table that was being read when a channel changed serves that request, and no other', async () => {
  const { ctx } = scene.app
  const channel = await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }))
  const routing = createRouting(ctx)
  const reading = routing.table()
  ctx.changes.emit({ topic: 'channels' })
  expect((await reading).channels.get(channel.id)?.priority).toBe(0)
  await ctx.database.db.updateTable('channels').set({ priority: 7 }).where('id', '=', channel.id).execute()
  expect((await routing.table()).channels.get(channel.id)?.priority).toBe(7)
})

test('models that nobody carries are not remembered, however many groups ask for them', async () => {
  const table = await createRouting(scene.app.ctx).table()
  const groups = ['default', 'vip']
  const megabytes = () => {
    Bun.gc(true)
    return process.memoryUsage().rss / 1024 / 1024
  }
  const before = megabytes()
  for (let at = 0; at < 600; at++)
    expect(table.candidates(groups, Buffer.alloc(1024 * 1024, `${at} `).toString())).toBeEmpty()
  expect(megabytes() - before).toBeLessThan(300)
})
