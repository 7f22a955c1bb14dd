import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { lastHold } from '#server/testing/last-hold.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

/** What a search model costs that read so many tokens, one unit each, and wrote ten. */
async function priced(model: string, read: number): Promise<{ cost: number; held: number }> {
  await scene.option('ModelRatio', `{"${model}": 1}`)
  await scene.option('CompletionRatio', `{"${model}": 1}`)
  await scene.channel(chatAnswer('hello', { prompt_tokens: read, completion_tokens: 10 }), { models: model })
  const bill = await scene.bill(() => scene.chat({ model, max_tokens: 100 }))
  return { cost: -bill.user, held: await lastHold(scene) }
}

test.each([
  ['gpt-4o-search-preview', 17_500],
  ['openai/gpt-4o-search-preview', 17_500],
  ['openai/gpt-4o-mini-search-preview', 13_750],
])('the fee of %s is held, and covers the pages it reads', async (model, fee) => {
  const { cost, held } = await priced(model, 20)
  expect(cost).toBe(fee + 30)
  expect(held).toBeGreaterThanOrEqual(cost)
  expect(held).toBeLessThan(cost + 200)
})

test.each(['gpt-5-search-api', 'openai/gpt-5-search-api'])(
  'the fee of %s is held, and the pages it reads, which are input',
  async (model) => {
    const { cost, held } = await priced(model, 100_000)
    expect(cost).toBe(5000 + 100_010)
    expect(held).toBeGreaterThanOrEqual(cost)
  },
)
