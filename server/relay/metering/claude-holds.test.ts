import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { lastHold } from '#server/testing/last-hold.ts'
import { jsonAnswer } from '#server/testing/operation-charges.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const anthropic = 14
const prose = 'The council met in the morning to discuss the new bridge, and nobody agreed on where it ought to stand. '

/** What a message to Claude holds and costs when its vendor reports so many tokens of prompt. */
async function priced(model: string, body: object, input_tokens: number) {
  const said = { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'a' }] }
  const usage = { input_tokens, output_tokens: 1 }
  const channel = await scene.channel(jsonAnswer({ ...said, model, stop_reason: 'max_tokens', usage }), {
    type: anthropic,
    models: model,
  })
  const asked = { model, max_tokens: 1, messages: [{ role: 'user', content: 'hi' }], ...body }
  const bill = await scene.bill(async () => expect((await scene.post('/v1/messages', asked)).status).toBe(200))
  expect(channel.seen).toHaveLength(1)
  return { cost: -bill.user, held: await lastHold(scene) }
}

describe('a prompt costs no more than is held', () => {
  const text = prose.repeat(1000)
  test.each([
    ['claude-opus-5-5', 2.5],
    ['claude-opus-4-7', 2.5],
    ['claude-sonnet-4-6', 3.4],
    ['claude-3-5-haiku-20241022', 3.4],
  ])('by %s, of which a token is %d letters', async (model, letters) => {
    const { cost, held } = await priced(model, { system: text }, Math.ceil(text.length / letters))
    expect(held).toBeGreaterThanOrEqual(cost)
    expect(held).toBeLessThan(1.25 * cost)
  })
})

describe('what Anthropic adds about tools costs no more than is held', () => {
  const own = [
    { type: 'bash_20250124', name: 'bash' },
    { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    { type: 'computer_20251124', name: 'computer', display_width_px: 1024, display_height_px: 768 },
  ]
  test.each([
    ['a tool of the client', [{ name: 'f', input_schema: { type: 'object' } }], 804 + 50],
    ['its own tools', own, 804 + 245 + 700 + 735 + 499 + 50],
  ])('%s', async (_, tools, tokens) => {
    const { cost, held } = await priced('claude-opus-4-7', { tools }, tokens)
    expect(held).toBeGreaterThanOrEqual(cost)
  })

  test('also for tools that stand in messages', async () => {
    const added = own.map((definition) => ({ type: 'tool_addition', tool: { definition } }))
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'hi' }, ...added] }]
    const { cost, held } = await priced('claude-opus-4-7', { messages }, 804 + 245 + 700 + 735 + 499 + 50)
    expect(held).toBeGreaterThanOrEqual(cost)
  })
})
