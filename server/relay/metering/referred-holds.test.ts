import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { giveId } from '#server/testing/given-id.ts'
import { lastHold } from '#server/testing/last-hold.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

async function heldBy(path: string, body: object, model = 'gpt-4o'): Promise<number> {
  const channel = await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }), {
    models: model,
  })
  for (const id of ['ig_1', 'rs_1', 'msg_1', 'audio_1']) await giveId(scene, 'item', id, channel.id)
  const answer = await scene.post(path, { model, ...body })
  expect([answer.status, await answer.text()]).toEqual([200, expect.anything()])
  return lastHold(scene)
}

const user = { role: 'user', content: 'go on' }

test.each([
  ['a picture it drew', { type: 'image_generation_call', id: 'ig_1' }],
  ['what it thought', { type: 'reasoning', id: 'rs_1', summary: [] }],
  ['an item', { type: 'item_reference', id: 'msg_1' }],
  ['an item without a type', { id: 'msg_1' }],
])('%s that a vendor knows by its id is held as all the model can read', async (_, item) => {
  expect(await heldBy('/v1/responses', { input: [item, user], max_output_tokens: 100 })).toBe(128_400)
})

test('what comes with all it says is held as that', async () => {
  const items = [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAABo' },
    { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'hello' }] },
  ]
  expect(await heldBy('/v1/responses', { input: [...items, user], max_output_tokens: 100 })).toBeLessThan(600)
})

test('sound that was answered before is held as all the model can read', async () => {
  await scene.option('ModelRatio', '{"gpt-4o": 1}')
  const said = { role: 'assistant', audio: { id: 'audio_1' } }
  const held = await heldBy('/v1/chat/completions', { messages: [user, said, user], max_tokens: 100 })
  expect(held).toBe(128_400)
})
