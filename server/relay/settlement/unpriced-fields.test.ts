import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { expectUntouched } from '#server/testing/expect-charge.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const answer = chatAnswer('hello', { prompt_tokens: 3, completion_tokens: 4 })

/** By type of channel: the field, what asks for more with it, and what asks for nothing. */
const rows = [
  [26, 'with_search_enhance', [true, 1, 'true', { enabled: true }], [false, null, '', {}]],
  [
    29,
    'compound_custom',
    [{ tools: { enabled_tools: ['web_search'] } }, { models: { answering_model: 'x' } }],
    [null, {}, { tools: { enabled_tools: [] } }],
  ],
  [20, 'preset', ['@preset/dear', 'dear', { slug: 'dear' }], ['', null, false]],
  [23, 'enable_enhancement', [true, 1], [false, null]],
] as const

describe.each(rows)('channels of type %i: the field %s', (type, field, asking, idle) => {
  test('is refused while it has no price, and no vendor is asked', async () => {
    const upstream = await scene.channel(answer, { type })
    expectUntouched(
      await scene.bill(async () => {
        for (const value of asking) {
          for (const name of [field, field.toUpperCase()]) {
            const refused = await scene.chat({ [name]: value })
            expect([refused.status, (await refused.json()).error.message]).toEqual([
              400,
              expect.stringContaining(field),
            ])
          }
          const streamed = await scene.chat({ [field]: value, stream: true })
          expect(streamed.status).toBe(400)
        }
      }),
    )
    expect(upstream.seen).toHaveLength(0)
  })

  test('passes when it asks for nothing, as fields do that nobody knows', async () => {
    await scene.channel(answer, { type })
    for (const value of idle) expect((await scene.chat({ [field]: value })).status).toBe(200)
    expect((await scene.chat({ a_field_of_tomorrow: true, [`${field}_of_another`]: true })).status).toBe(200)
  })

  test('is one of many that nobody knows to other vendors', async () => {
    const upstream = await scene.channel(answer, { type: 1 })
    expect((await scene.chat({ [field]: asking[0] })).status).toBe(200)
    expect(upstream.seen[0]?.body[field]).toEqual(asking[0])
  })

  test('goes to the channel that has no price of its own for it', async () => {
    const dear = await scene.channel(answer, { type, priority: 5 })
    const plain = await scene.channel(answer, { type: 1 })
    expect((await scene.chat({ [field]: asking[0] })).status).toBe(200)
    expect([dear.seen.length, plain.seen.length]).toEqual([0, 1])
  })
})
