import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { sdkClients } from '#server/testing/sdk-clients.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const answering = (answer: object) =>
  scene.channel(
    ({ path }) => {
      const body = JSON.stringify({ ...answer, usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5 } })
      return path.includes(':stream')
        ? new Response(`data: ${body}\n\n`, { headers: { 'content-type': 'text/event-stream' } })
        : new Response(body, { headers: { 'content-type': 'application/json' } })
    },
    { type: 24 },
  )

const messages = [{ role: 'user' as const, content: 'hi' }]

test.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'])(
  'an answer that Gemini ends with %s says what was wrong with the call',
  async (finishReason) => {
    await answering({ candidates: [{ finishReason, finishMessage: 'Malformed function call: f(', content: {} }] })
    const { openai, anthropic } = sdkClients(scene.app.url, scene.key)
    const bill = await scene.bill(async () => {
      const whole = await openai.chat.completions.create({ model: 'gpt-4o', messages })
      expect(whole.choices[0]).toMatchObject({
        finish_reason: 'stop',
        message: { content: 'Malformed function call: f(' },
      })
      const streamed = anthropic.messages.stream({ model: 'gpt-4o', max_tokens: 50, messages })
      expect(await streamed.finalText()).toBe('Malformed function call: f(')
    })
    expect(bill).toMatchObject({ user: -60, holds: 0 })
  },
)

test.each([
  ['an answer', { candidates: [{ finishReason: 'SAFETY', finishMessage: 'unsafe' }] }],
  ['a question', { promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: 'unsafe' } }],
])('%s that Gemini blocks is refused with its reason', async (_, answer) => {
  await answering(answer)
  const { openai } = sdkClients(scene.app.url, scene.key)
  const whole = await openai.chat.completions.create({ model: 'gpt-4o', messages })
  expect(whole.choices[0]).toMatchObject({ finish_reason: 'content_filter', message: { refusal: 'unsafe' } })
})

test('what Gemini remarks on an ordinary end is no part of the answer', async () => {
  const content = { parts: [{ functionCall: { name: 'f', args: {} } }] }
  await answering({
    candidates: [{ finishReason: 'STOP', finishMessage: 'Model generated function call(s).', content }],
  })
  const { openai } = sdkClients(scene.app.url, scene.key)
  const { choices } = await openai.chat.completions.create({ model: 'gpt-4o', messages })
  expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: null, refusal: null } })
})
