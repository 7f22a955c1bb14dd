import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type OpenAI from 'openai'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { sdkClients } from '#server/testing/sdk-clients.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 500_000_000, tokenQuota: 500_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const model = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'
const channel = (content: unknown[]) =>
  scene.channel(
    () =>
      Response.json({
        output: { message: { role: 'assistant', content } },
        stopReason: content.some((block) => JSON.stringify(block).includes('toolUse')) ? 'tool_use' : 'end_turn',
        usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
      }),
    { type: 32, key: 'AKID|secret|eu-west-1', models: model },
  )

const tool = { type: 'function' as const, function: { name: 'f', parameters: { type: 'object', properties: {} } } }
const hidden = { reasoningContent: { redactedContent: 'c2VhbGVk' } }
const shown = { reasoningContent: { reasoningText: { text: 'hm', signature: 'sig' } } }
const call = { toolUse: { toolUseId: 'call-1', name: 'f', input: {} } }

test('thoughts only Claude can read go back to it with the calls that followed them', async () => {
  const vendor = await channel([shown, hidden, call])
  const { openai } = sdkClients(scene.app.url, scene.key)
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'hi' }]
  const asked = { model, messages, tools: [tool], reasoning_effort: 'low' as const, max_completion_tokens: 20_000 }
  const first = await openai.chat.completions.create(asked)
  const said = first.choices[0]?.message
  if (!said) throw new Error('nothing was said')
  messages.push(said, { role: 'tool', tool_call_id: 'call-1', content: 'x' })
  await openai.chat.completions.create(asked)
  expect(vendor.seen.at(-1)?.body).toMatchObject({
    messages: [{ role: 'user' }, { role: 'assistant', content: [shown, hidden, call] }, { role: 'user' }],
    additionalModelRequestFields: { thinking: { type: 'enabled' } },
  })
})

test('nothing blank is sent where Converse refuses it', async () => {
  const vendor = await channel([{ text: 'hello' }])
  const response = await scene.post('/v1/chat/completions', {
    model,
    stop: ['\n', 'END'],
    messages: [
      { role: 'system', content: ' \n' },
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'well, ' },
    ],
  })
  expect(response.status).toBe(200)
  const { body } = vendor.seen.at(-1) ?? {}
  expect(body).not.toHaveProperty('system')
  expect(body).toMatchObject({
    messages: [{ role: 'user' }, { role: 'assistant', content: [{ text: 'well,' }] }],
    inferenceConfig: { stopSequences: ['END'] },
  })
})
