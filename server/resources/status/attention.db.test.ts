import { expect, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'
import { channelStatus } from '#shared/statuses.ts'

test('channels that went off by themselves and models without a price wait for an administrator', async () => {
  const scene = await startRelayScene()
  const waiting = () => scene.root.call(api.status.attention, {})
  expect(await waiting()).toEqual({ channels: 0, prices: 0 })
  const { id } = await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }))
  await scene.root.call(api.channels.update, { id, models: 'gpt-4o-mini,nobody-prices-this' })
  expect(await waiting()).toEqual({ channels: 0, prices: 1 })
  await scene.app.ctx.database.db
    .updateTable('channels')
    .set({ status: channelStatus.autoDisabled })
    .where('id', '=', id)
    .execute()
  expect(await waiting()).toEqual({ channels: 1, prices: 0 })
  await scene.stop()
})
