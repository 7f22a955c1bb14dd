import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const claude = () =>
  Response.json({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'gpt-4o',
    content: [{ type: 'text', text: 'done' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 10, output_tokens: 5 },
  })

const call = { type: 'tool_use', id: 't1', name: 'f', input: {} }
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] }
const hi = { role: 'user', content: 'hi' }
const thought = (signature: string) => ({ type: 'thinking', thinking: 'hm', signature })
const clearing = { type: 'clear_thinking_20251015' }
const others = { type: 'clear_tool_uses_20250919' }

/** What Claude is sent of a conversation whose client asks for thoughts. */
async function sentToClaude(messages: object[], thinking: object = { type: 'enabled', budget_tokens: 1024 }) {
  const vendor = await scene.channel(claude, { type: 14 })
  const asked = {
    model: 'gpt-4o',
    max_tokens: 4096,
    thinking,
    context_management: { edits: [clearing, others] },
    messages,
  }
  const bill = await scene.bill(async () => expect((await scene.post('/v1/messages', asked)).status).toBe(200))
  expect(bill).toMatchObject({ user: -30, holds: 0 })
  return vendor.seen.at(-1)?.body
}

test.each(['', 'openai-chat:proof'])(
  'a loop of tools that another vendor began goes on with Claude, which thinks again in the next turn (proof %p)',
  async (signature) => {
    const sent = await sentToClaude([hi, { role: 'assistant', content: [thought(signature), call] }, result])
    expect(sent).not.toHaveProperty('thinking')
    expect(sent).toMatchObject({ messages: [hi, { content: [call] }, result], context_management: { edits: [others] } })
  },
)

test('Claude goes on thinking where its own thoughts are there, or the loop is over, or it thinks as it likes', async () => {
  const own = { role: 'assistant', content: [thought('Claude+proof'), call] }
  const foreign = { role: 'assistant', content: [thought('openai-chat:proof'), call] }
  const enabled = { thinking: { type: 'enabled' }, context_management: { edits: [clearing, others] } }
  expect(await sentToClaude([hi, foreign, result, own, result])).toMatchObject(enabled)
  await scene.clear()
  expect(await sentToClaude([hi, foreign, result, { role: 'assistant', content: 'well' }, hi])).toMatchObject(enabled)
  await scene.clear()
  const adaptive = { type: 'adaptive' }
  expect(await sentToClaude([hi, foreign, result], adaptive)).toMatchObject({ thinking: adaptive })
})
