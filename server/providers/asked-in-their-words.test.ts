import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterAll(() => scene.stop())

const answer = () =>
  Response.json({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4o',
    choices: [{ index: 0, message: { role: 'assistant', content: '{}' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  })

/** What a channel of this type is sent; the request costs what its answer used. */
async function sentTo(type: number, path: string, body: Record<string, unknown>, key = 'k') {
  const vendor = await scene.channel(answer, { type, key })
  const bill = await scene.bill(async () => {
    const response = await scene.post(path, { model: 'gpt-4o', ...body })
    expect(response.status, await response.text()).toBe(200)
  })
  expect(bill).toMatchObject({ user: -30, holds: 0 })
  await scene.clear()
  return vendor.seen.at(-1)?.body
}

test.each([
  ['Perplexity', 36],
  ['Cohere', 40],
])('%s is told the limit and who instructs by their older names', async (_, type) => {
  const messages = [
    { role: 'developer', content: 'be brief' },
    { role: 'user', content: 'hi' },
  ]
  const sent = await sentTo(type, '/v1/chat/completions', { messages, max_completion_tokens: 50 })
  expect(sent).toMatchObject({ max_tokens: 50, messages: [{ role: 'system', content: 'be brief' }, messages[1]] })
  expect(sent).not.toHaveProperty('max_completion_tokens')
})
