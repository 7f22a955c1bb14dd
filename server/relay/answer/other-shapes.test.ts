import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { expectFree } from '#server/testing/expect-charge.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const words = 'many words '.repeat(40)
const message = { role: 'assistant', content: words }
const chat = {
  id: 'c',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message, finish_reason: 'stop' }],
}
const response = {
  id: 'r',
  object: 'response',
  status: 'completed',
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words }] }],
}
const messages = [{ role: 'user', content: 'hi' }]

test.each([false, true])(
  'a response that comes in the shape of chat is shown as one and paid as counted (stream: %p)',
  async (stream) => {
    await scene.channel(() => Response.json(chat))
    let text = ''
    const bill = await scene.bill(async () => {
      const answer = await scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi', stream })
      expect(answer.status).toBe(200)
      text = await answer.text()
    })
    expect(text).toContain('"output_text"')
    expect(text).toContain(words.trim())
    expect(text).not.toContain('choices')
    expect(bill.rows).toHaveLength(1)
    expect(bill.rows[0]?.completion_tokens).toBeGreaterThanOrEqual(80)
    expect(bill.user).toBeLessThanOrEqual(-320)
  },
)

test('the usage that such an answer reports is charged', async () => {
  await scene.channel(() => Response.json({ ...chat, usage: { prompt_tokens: 10, completion_tokens: 5 } }))
  const bill = await scene.bill(() => scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi' }))
  expect(bill.user).toBe(-30)
})

test.each([
  ['chat', '/v1/chat/completions', 1, { messages }, response],
  ['messages', '/v1/messages', 14, { messages, max_tokens: 10 }, chat],
  ['messages, with usage', '/v1/messages', 14, { messages, max_tokens: 10 }, { ...chat, usage: { prompt_tokens: 9 } }],
  ['responses', '/v1/responses', 1, { input: 'hi' }, {}],
  ['responses that says nothing but whose it is', '/v1/responses', 1, { input: 'hi' }, { id: 'r', object: 'response' }],
  ['Gemini', '/v1beta/models/gpt-4o:generateContent', 24, { contents: [{ parts: [{ text: 'hi' }] }] }, chat],
] as const)(
  'an answer that %s cannot be read from is none: it is not shown, and the next channel is asked',
  async (_, path, type, body, given) => {
    const channel = await scene.channel(() => Response.json(given), { type })
    const bill = await scene.bill(async () =>
      expect((await scene.post(path, { model: 'gpt-4o', ...body })).status).toBe(502),
    )
    expectFree(bill, { outcome: 'failed' })
    expect(channel.seen).toHaveLength(1)
  },
)

test.each([false, true])('a whole answer without a reason to finish has ended (stream: %p)', async (stream) => {
  await scene.channel(() => Response.json({ ...chat, choices: [{ index: 0, message, finish_reason: null }] }))
  const answer = await scene.post('/v1/messages', { model: 'gpt-4o', max_tokens: 1000, messages, stream })
  const text = await answer.text()
  expect(text).toContain('"stop_reason":"end_turn"')
  expect(text.includes('message_stop')).toBe(stream)
})

test.each([1, 3])('a stream from type %i begins with its first choice', async (type) => {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o' }
  const results = [{ prompt_index: 0, content_filter_results: {} }]
  const frames = [
    { id: '', object: '', created: 0, model: '', choices: [], prompt_filter_results: results },
    { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }] },
    { ...chunk, choices: [], citations: ['https://a.example'] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { ...chunk, choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } },
  ]
  const lines = [
    ': wait',
    ...[...frames.map((frame) => JSON.stringify(frame)), '[DONE]'].map((data) => `data: ${data}`),
  ]
  const headers = { 'content-type': 'text/event-stream' }
  await scene.channel(() => new Response(lines.map((line) => `${line}\n\n`).join(''), { headers }), { type })
  for (const include_usage of [false, true]) {
    const bill = await scene.bill(async () => {
      const text = await (await scene.chat({ stream: true, stream_options: { include_usage } })).text()
      expect(text.trim().split('\n\n')).toEqual(lines.filter((_, at) => at !== 1 && (include_usage || at !== 5)))
    })
    expect(bill.user).toBe(-30)
  }
})
