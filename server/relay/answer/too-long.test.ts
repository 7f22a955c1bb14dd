import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { expectFree } from '#server/testing/expect-charge.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const messages = [{ role: 'user', content: 'hi' }]
const invalid = (message: string) => ({ error: { type: 'invalid_request_error', message } })

/** Vendors by the number of their type, with the error they answer when a conversation is too long. */
const vendors: readonly (readonly [string, number, object])[] = [
  ['Anthropic', 14, { type: 'error', ...invalid('prompt is too long: 213462 tokens > 200000 maximum') }],
  [
    'Anthropic, with the answer',
    14,
    { type: 'error', ...invalid('input length and `max_tokens` exceed context limit: 186433 + 20000 > 200000') },
  ],
  [
    'Gemini',
    24,
    {
      error: {
        code: 400,
        message: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
        status: 'INVALID_ARGUMENT',
      },
    },
  ],
  ['OpenAI', 1, invalid('Your input exceeds the context window of this model.')],
  ['a server of the operator', 8, { error: "This model's maximum context length is 8192 tokens." }],
]

for (const [vendor, type, body] of vendors) {
  const refuse = () => scene.channel(() => Response.json(body, { status: 400 }), { type })

  test(`clients of OpenAI read by its code that a conversation is too long for ${vendor}`, async () => {
    await refuse()
    const bill = await scene.bill(async () => {
      const answer = await scene.chat()
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: { code: 'context_length_exceeded' } })
    })
    expectFree(bill, { outcome: 'failed' })
  })

  test(`clients of Anthropic read by its words that a conversation is too long for ${vendor}`, async () => {
    await refuse()
    const answer = await scene.post('/v1/messages', { model: 'gpt-4o', messages, max_tokens: 10 })
    expect(answer.status).toBe(400)
    const { error } = (await answer.json()) as { error: { type: string; message: string } }
    expect(error.type).toBe('invalid_request_error')
    expect(error.message.match(/prompt is too long|exceed context limit/g)).toHaveLength(1)
  })
}

test('too many tokens in a minute are no conversation that is too long', async () => {
  const message = 'Request too large on tokens per minute (TPM): Limit 6000, please reduce your message size.'
  await scene.channel(() => Response.json({ error: { message, code: 'rate_limit_exceeded' } }, { status: 413 }))
  const answer = await scene.chat()
  expect(await answer.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
})
