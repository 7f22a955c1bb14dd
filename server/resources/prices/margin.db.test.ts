import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 1_000_000, tokenQuota: 1_000_000 })
})
afterAll(() => scene.stop())

test('a margin is what the operator kept of the price, and none where nobody knows what was paid', async () => {
  await scene.root.call(api.prices.set, { model: 'homemade', input_usd: 2, output_usd: 2 })
  await scene.root.call(api.prices.set, { model: 'gpt-4o', input_usd: 5, output_usd: 20 })
  await scene.channel(chatAnswer('hello', { prompt_tokens: 1000, completion_tokens: 100 }), {
    models: 'homemade,gpt-4o',
  })
  for (const model of ['homemade', 'gpt-4o']) await scene.bill(() => scene.chat({ model }))
  const { list } = await scene.root.call(api.prices.list, { pagesize: 10 })
  const marginOf = (model: string) => list.find((row) => row.model === model)
  expect(marginOf('homemade')).toMatchObject({ cost_usd: null, margin: null, traffic: { quota: 1100, cost: 0 } })
  expect(marginOf('gpt-4o')).toMatchObject({ margin: 0.5, traffic: { quota: 3500, cost: 1750 } })

  const { list: used } = await scene.root.call(api.usage.table, { scope: 'all', by: 'model', order: 'margin' })
  expect(used).toMatchObject([
    { key: 'gpt-4o', cost_unknown: 0, margin: 0.5 },
    { key: 'homemade', cost_unknown: 1, margin: null },
  ])
})
