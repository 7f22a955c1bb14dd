import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { expectCharge } from '#server/testing/expect-charge.ts'
import { deltaFrame, doneFrame, eventStream, finishFrame, usageFrame } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 10_000_000, tokenQuota: 10_000_000 })
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

test.each([
  ['a page it fetches', { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }, 'claude-3-haiku'],
  ['other servers it asks', { mcp_servers: [{ type: 'url', name: 'x', url: 'https://x.example' }] }, 'claude-3-haiku'],
  ['thoughts on Bedrock', { thinking: { type: 'adaptive' } }, 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
  ['thoughts nobody asked for', {}, 'claude-opus-5'],
])("a stream of Claude's that bills %s is read to its end", async (_, more, model) => {
  await scene.option('ModelRatio', `{"gpt-4o": 1, "${model}": 1}`)
  await scene.option('CompletionRatio', `{"gpt-4o": 4, "${model}": 4}`)
  const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
  const message = { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 25, output_tokens: 1 } }
  const gate = Promise.withResolvers<void>()
  await scene.channel(
    eventStream(
      event('message_start', { message }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'let me see' } }),
      gate.promise,
      event('message_delta', {
        delta: { stop_reason: 'end_turn' },
        usage: { input_tokens: 90_000, output_tokens: 100 },
      }),
      event('message_stop', {}),
    ),
    { type: 14, models: model },
  )
  const bill = await scene.bill(async () => {
    const leaving = new AbortController()
    const body = { model, max_tokens: 500, stream: true, messages: [{ role: 'user', content: 'hi' }], ...more }
    const answer = await scene.post('/v1/messages', body, { signal: leaving.signal })
    await answer.body?.getReader().read()
    leaving.abort()
    // The relay has to notice it before the answer ends.
    await Bun.sleep(400)
    gate.resolve()
  })
  expectCharge(bill, 90_400, { outcome: 'cut', prompt_tokens: 90_000, completion_tokens: 100 })
})

test('a stream of a Gemini whose name has no version is read to its end, because it may think without showing it', async () => {
  await scene.option('ModelRatio', '{"gpt-4o": 1, "gemini-flash-latest": 1}')
  await scene.option('CompletionRatio', '{"gpt-4o": 4, "gemini-flash-latest": 4}')
  const gate = Promise.withResolvers<void>()
  const frame = (text: string, usageMetadata: object, more = {}) =>
    `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text }] }, ...more }], usageMetadata })}\n\n`
  await scene.channel(
    eventStream(
      frame('END', { promptTokenCount: 10 }),
      gate.promise,
      frame('.', { promptTokenCount: 10, candidatesTokenCount: 5, thoughtsTokenCount: 9995 }, { finishReason: 'STOP' }),
    ),
    { type: 24, models: 'gemini-flash-latest' },
  )
  const bill = await scene.bill(async () => {
    const leaving = new AbortController()
    const path = '/v1beta/models/gemini-flash-latest:streamGenerateContent?alt=sse'
    const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
    await (await scene.post(path, body, { signal: leaving.signal })).body?.getReader().read()
    leaving.abort()
    // The relay has to notice it before the answer ends.
    await Bun.sleep(400)
    gate.resolve()
  })
  expectCharge(bill, 40_010, { outcome: 'cut', completion_tokens: 10_000 })
})

const claudeThinks = (gate: Promise<void>) => {
  const event = (data: { readonly type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
  const begun = { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 10, output_tokens: 1 } }
  const parts = [
    { type: 'message_start', message: begun },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
  ]
  const end = [
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 10_000 } },
    { type: 'message_stop' },
  ]
  return eventStream(...parts.map(event), gate, ...end.map(event))
}

const gptThinks = (gate: Promise<void>) =>
  eventStream(
    deltaFrame('END'),
    gate,
    finishFrame(),
    usageFrame({ prompt_tokens: 10, completion_tokens: 10_000 }),
    doneFrame,
  )

const hi = [{ role: 'user', content: 'hi' }]
const asked = {
  contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
  generationConfig: { thinkingConfig: { thinkingBudget: 2000, includeThoughts: true } },
}

test.each([
  [
    'of Claude asked to think in the words of Gemini',
    { model: 'claude-sonnet-4-5', thinks: claudeThinks, settings: { type: 14 } },
    { path: '/v1beta/models/claude-sonnet-4-5:streamGenerateContent?alt=sse', body: asked },
  ],
  [
    'of a chat model of OpenAI that thinks as long as it likes',
    { model: 'gpt-5.2-chat-latest', thinks: gptThinks, settings: {} },
    { path: '/v1/chat/completions', body: { model: 'gpt-5.2-chat-latest', stream: true, messages: hi } },
  ],
  [
    'of a Grok whose name has no version',
    { model: 'grok-latest', thinks: gptThinks, settings: { type: 35 } },
    { path: '/v1/chat/completions', body: { model: 'grok-latest', stream: true, messages: hi } },
  ],
  [
    'of Qwen that runs code nobody sees',
    { model: 'qwen3.7-plus', thinks: gptThinks, settings: { type: 17 } },
    {
      path: '/v1/chat/completions',
      body: { model: 'qwen3.7-plus', stream: true, enable_code_interpreter: true, messages: hi },
    },
  ],
  [
    'of a model that only the operator names so at its vendor',
    { model: 'o3', thinks: gptThinks, settings: { model_mapping: '{"o3":"our-deployment"}' } },
    { path: '/v1/chat/completions', body: { model: 'o3', stream: true, messages: hi } },
  ],
])('a stream %s is read to its end', async (_, { model, thinks, settings }, { path, body }) => {
  await scene.option('ModelRatio', `{"gpt-4o": 1, "${model}": 1}`)
  await scene.option('CompletionRatio', `{"gpt-4o": 4, "${model}": 4}`)
  const gate = Promise.withResolvers<void>()
  await scene.channel(thinks(gate.promise), { models: model, ...settings })
  const bill = await scene.bill(async () => {
    const leaving = new AbortController()
    await (await scene.post(path, body, { signal: leaving.signal })).body?.getReader().read()
    leaving.abort()
    // The relay has to notice it before the answer ends.
    await Bun.sleep(400)
    gate.resolve()
  })
  expectCharge(bill, 40_010, { outcome: 'cut', completion_tokens: 10_000 })
})

test.each([
  ['a file', { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } }],
  ['a picture by address', { type: 'image_url', image_url: { url: 'https://pictures.example/a.png' } }],
  ['a recording', { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } }],
])('a stream whose prompt holds %s, which is only measured at the end, is read to it', async (_, part) => {
  const gate = Promise.withResolvers<void>()
  const reported = usageFrame({ prompt_tokens: 100_000, completion_tokens: 10 })
  await scene.channel(eventStream(deltaFrame('hello'), gate.promise, finishFrame(), reported, doneFrame))
  const bill = await scene.bill(async () => {
    const leaving = new AbortController()
    const body = { stream: true, messages: [{ role: 'user', content: [part] }] }
    await (await scene.chat(body, { signal: leaving.signal })).body?.getReader().read()
    leaving.abort()
    // The relay has to notice it before the answer ends.
    await Bun.sleep(400)
    gate.resolve()
  })
  expectCharge(bill, 100_040, { outcome: 'cut', prompt_tokens: 100_000, completion_tokens: 10 })
})

test('a stream that writes a recording down is read to its end and pays what it reports', async () => {
  await scene.option('ModelRatio', '{"gpt-4o": 1, "gpt-4o-transcribe": 1}')
  await scene.option('CompletionRatio', '{"gpt-4o": 4, "gpt-4o-transcribe": 4}')
  const gate = Promise.withResolvers<void>()
  const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`
  const usage = { type: 'tokens', input_tokens: 5000, output_tokens: 100, total_tokens: 5100 }
  await scene.channel(
    eventStream(
      event({ type: 'transcript.text.delta', delta: 'hello' }),
      50,
      event({ type: 'transcript.text.delta', delta: ' again' }),
      gate.promise,
      event({ type: 'transcript.text.done', text: 'hello again', usage }),
    ),
    { models: 'gpt-4o-transcribe' },
  )
  const bill = await scene.bill(async () => {
    const leaving = new AbortController()
    const form = new FormData()
    form.set('model', 'gpt-4o-transcribe')
    form.set('stream', 'true')
    form.set('file', new File([new Uint8Array(8000)], 'a.mp3'))
    await (await scene.post('/v1/audio/transcriptions', form, { signal: leaving.signal })).body?.getReader().read()
    leaving.abort()
    // The relay has to notice it before the answer ends.
    await Bun.sleep(400)
    gate.resolve()
  })
  expectCharge(bill, 5400, { outcome: 'cut', prompt_tokens: 5000, completion_tokens: 100 })
})

test('a stream whose prompt holds a file is ended with its client where the prompt was reported at its beginning', async () => {
  const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
  const message = { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 90_000, output_tokens: 1 } }
  const channel = await scene.channel(
    eventStream(
      event('message_start', { message }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'let me see' } }),
      60_000,
    ),
    { type: 14 },
  )
  const source = { type: 'url', url: 'https://files.example/a.pdf' }
  const bill = await scene.bill(async () => {
    const leaving = new AbortController()
    const messages = [{ role: 'user', content: [{ type: 'document', source }] }]
    const body = { model: 'gpt-4o', max_tokens: 500, stream: true, messages }
    await (await scene.post('/v1/messages', body, { signal: leaving.signal })).body?.getReader().read()
    leaving.abort()
    await Bun.sleep(400)
  })
  expect(channel.seen.at(-1)?.signal.aborted).toBe(true)
  expectCharge(bill, 90_012, { outcome: 'cut', prompt_tokens: 90_000, completion_tokens: 3 })
})

test.each([
  ['exclude', { reasoning: { effort: 'high', exclude: true } }],
  ['include_reasoning', { include_reasoning: false }],
  ['reasoning_format', { reasoning_format: 'hidden' }],
])('a stream whose client asked not to be shown the thoughts (%s) is read to its end', async (_, more) => {
  const gate = Promise.withResolvers<void>()
  const reported = usageFrame({ prompt_tokens: 10, completion_tokens: 10_000 })
  await scene.channel(eventStream(deltaFrame('END'), gate.promise, finishFrame(), reported, doneFrame))
  const bill = await scene.bill(async () => {
    const leaving = new AbortController()
    await (await scene.chat({ stream: true, ...more }, { signal: leaving.signal })).body?.getReader().read()
    leaving.abort()
    // The relay has to notice it before the answer ends.
    await Bun.sleep(400)
    gate.resolve()
  })
  expectCharge(bill, 40_010, { outcome: 'cut', completion_tokens: 10_000 })
})
