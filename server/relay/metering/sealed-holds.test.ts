import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { lastHold } from '#server/testing/last-hold.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

async function heldBy(path: string, body: object): Promise<number> {
  await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }), { type: 1 })
  const answer = await scene.post(path, { model: 'gpt-4o', ...body })
  expect([answer.status, await answer.text()]).toEqual([200, expect.anything()])
  return lastHold(scene)
}

/** About 20,000 tokens. */
const words = 'word '.repeat(20_000)
const user = { role: 'user', content: 'hi' }
const gemini = '/v1beta/models/gpt-4o:generateContent'
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]

describe('words are held as words', () => {
  test.each([
    [
      'an argument named like a signature',
      '/v1/messages',
      {
        messages: [
          user,
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'sign', input: { signature: words } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'done' }] },
        ],
        max_tokens: 100,
      },
    ],
    [
      'a result named like a signature',
      gemini,
      {
        contents: [
          ...contents,
          { role: 'model', parts: [{ functionCall: { name: 'sign', args: {} } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'sign', response: { thoughtSignature: words } } }] },
        ],
        generationConfig: { maxOutputTokens: 100 },
      },
    ],
    [
      'what a tool is said to take under such a name',
      '/v1/chat/completions',
      {
        messages: [user],
        max_tokens: 100,
        tools: [
          {
            type: 'function',
            function: { name: 'f', parameters: { type: 'object', example: { encrypted_content: words } } },
          },
        ],
      },
    ],
    [
      'what has spaces in it, wherever it stands',
      '/v1/chat/completions',
      { messages: [{ ...user, signature: words }], max_tokens: 100 },
    ],
  ])('%s', async (_, path, body) => {
    expect(await heldBy(path, body)).toBeGreaterThan(20_000)
  })

  test('also in a document that is ranked', async () => {
    expect(await heldBy('/v1/rerank', { query: 'hi', documents: [{ signature: words }] })).toBeGreaterThan(20_000)
  })
})

test('thoughts that come back sealed hold as many tokens as they may unseal to', async () => {
  const input = [
    { role: 'user', content: 'hi' },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAABo'.repeat(10_000) },
    { role: 'user', content: 'go on' },
  ]
  expect(await heldBy('/v1/responses', { input, max_output_tokens: 100 })).toBeGreaterThan(20_000)
})
