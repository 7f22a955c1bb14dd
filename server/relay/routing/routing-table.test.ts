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
