import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type Behaviour, eventStream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const surprise = { deep: [1, { of: 'the future' }], big: 12345678901234 }

interface Pair {
  readonly type: number
  readonly path: (stream: boolean) => string
  readonly body: Record<string, unknown>
  /** A whole answer that holds a `surprise`. */
  readonly whole: object
  /** Events as they stand in the stream, unknown ones among them. */
  readonly frames: readonly string[]
}

const data = (value: object, event?: string) =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`
const typed = (value: { type: string; [field: string]: unknown }) => data(value, value.type)

const chunk = (delta: object, finish_reason: string | null) =>
  data({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason, surprise }] })
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, surprise }

const openaiChat: Pair = {
  type: 1,
  path: () => '/v1/chat/completions',
  body: { messages: [{ role: 'user', content: 'hi', surprise }], stream_options: { include_usage: true }, surprise },
  whole: {
    id: 'c',
    surprise,
    choices: [{ index: 0, message: { role: 'assistant', content: 'hello', surprise }, finish_reason: 'stop' }],
    usage,
  },
  frames: [
    ': a comment\n\n',
    chunk({ role: 'assistant', content: 'hel', surprise }, null),
    data({ object: 'chat.completion.unheard-of', surprise }),
    data(surprise, 'unheard-of'),
    chunk({ content: 'lo' }, null),
    chunk({}, 'stop'),
    data({ id: 'c', choices: [], usage }),
    'data: [DONE]\n\n',
  ],
}

const responsesUsage = { input_tokens: 10, output_tokens: 5, total_tokens: 15, surprise }
const item = { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'hello' }] }
const response = {
  id: 'r',
  object: 'response',
  status: 'completed',
  surprise,
  output: [{ type: 'unheard_of_call', id: 'u', surprise }, item],
  usage: responsesUsage,
}

const openaiResponses: Pair = {
  type: 1,
  path: () => '/v1/responses',
  body: { input: [{ role: 'user', content: 'hi' }], tools: [{ type: 'unheard_of', surprise }], surprise },
  whole: response,
  frames: [
    typed({ type: 'response.created', response: { id: 'r', status: 'in_progress', output: [], surprise } }),
    typed({ type: 'response.unheard_of.delta', surprise }),
    typed({ type: 'response.output_item.added', output_index: 0, item: { type: 'unheard_of_call', surprise } }),
    typed({ type: 'response.output_text.delta', item_id: 'm', output_index: 1, content_index: 0, delta: 'hello' }),
    typed({ type: 'response.completed', response }),
  ],
}

const anthropic: Pair = {
  type: 14,
  path: () => '/v1/messages',
  body: { max_tokens: 50, messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', surprise }] }], surprise },
  whole: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    surprise,
    content: [
      { type: 'unheard_of_block', surprise },
      { type: 'text', text: 'hello' },
    ],
    stop_reason: 'end_turn',
    usage: { input_tokens: 10, output_tokens: 5, surprise },
  },
  frames: [
    typed({ type: 'message_start', message: { id: 'm', content: [], usage: { input_tokens: 10, surprise } } }),
    typed({ type: 'ping' }),
    typed({ type: 'unheard_of', surprise }),
    typed({ type: 'content_block_start', index: 0, content_block: { type: 'unheard_of_block', surprise } }),
    typed({ type: 'content_block_delta', index: 0, delta: { type: 'unheard_of_delta', surprise } }),
    typed({ type: 'content_block_stop', index: 0 }),
    typed({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } }),
    typed({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'hello', surprise } }),
    typed({ type: 'content_block_stop', index: 1 }),
    typed({ type: 'message_delta', delta: { stop_reason: 'end_turn', surprise }, usage: { output_tokens: 5 } }),
    typed({ type: 'message_stop', surprise }),
  ],
}

const candidate = (parts: object[], more: object = {}) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, surprise, ...more }],
})
const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15, surprise }

const gemini: Pair = {
  type: 24,
  path: (stream) => `/v1beta/models/gpt-4o:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: { contents: [{ role: 'user', parts: [{ text: 'hi', surprise }] }], tools: [{ unheardOf: surprise }], surprise },
  whole: {
    ...candidate([{ text: 'hello' }, { unheardOf: surprise }], { finishReason: 'STOP' }),
    usageMetadata,
    surprise,
  },
  frames: [
    data({ ...candidate([{ text: 'hel' }]), surprise }),
    data({ unheardOf: surprise }),
    data({ ...candidate([{ text: 'lo' }, { unheardOf: surprise }], { finishReason: 'STOP' }), usageMetadata }),
  ],
}

const pairs = { openaiChat, openaiResponses, anthropic, gemini } satisfies Record<string, Pair>

/** Cut at odd places, as networks do. */
function inPieces(text: string): string[] {
  return text.match(/[\s\S]{1,37}/g) ?? []
}

describe.each(Object.entries<Pair>(pairs))('%s on both sides', (name, { type, path, body, whole, frames }) => {
  const isGemini = name === 'gemini'
  const asked = (stream: boolean) => (isGemini ? body : { model: 'gpt-4o', ...body, ...(stream ? { stream } : {}) })
  const open = (behaviour: Behaviour) => scene.channel(behaviour, { type })

  test('a whole answer and its question pass byte for byte, and are paid for', async () => {
    const text = JSON.stringify(whole, null, 1)
    const upstream = await open(() => new Response(text, { headers: { 'content-type': 'application/json' } }))
    const { stream_options, ...plain } = asked(false) as Record<string, unknown>
    const bill = await scene.bill(async () => {
      expect(await (await scene.post(path(false), plain)).text()).toBe(text)
    })
    expect(upstream.seen[0]?.raw).toBe(JSON.stringify(plain))
    expect(bill.rows[0]).toMatchObject({ quota: 30, prompt_tokens: 10, completion_tokens: 5, outcome: 'done' })
  })

  test('a stream and its question pass byte for byte, and are paid for', async () => {
    const upstream = await open(eventStream(...inPieces(frames.join(''))))
    const bill = await scene.bill(async () => {
      expect(await (await scene.post(path(true), asked(true))).text()).toBe(frames.join(''))
    })
    expect(upstream.seen[0]?.raw).toBe(JSON.stringify(asked(true)))
    expect(bill.rows[0]).toMatchObject({ quota: 30, prompt_tokens: 10, completion_tokens: 5, outcome: 'done' })
  })

  test('a mapped name is all that changes', async () => {
    const upstream = await scene.channel(() => Response.json(whole), { type, model_mapping: '{"gpt-4o":"theirs"}' })
    const { stream_options, ...plain } = asked(false) as Record<string, unknown>
    await scene.post(path(false), plain)
    expect(upstream.seen[0]?.body).toEqual(isGemini ? plain : { ...plain, model: 'theirs' })
    if (isGemini) expect(upstream.seen[0]?.path).toContain('/theirs:')
  })
})

test('Gemini without alt=sse gets the same events as one array', async () => {
  const upstream = await scene.channel(eventStream(...inPieces(gemini.frames.join(''))), { type: 24 })
  const answer = await scene.post('/v1beta/models/gpt-4o:streamGenerateContent', gemini.body)
  expect(await answer.json()).toEqual(gemini.frames.map((each) => JSON.parse(each.slice('data: '.length))))
  expect(upstream.seen[0]?.raw).toBe(JSON.stringify(gemini.body))
})

/** Nothing in these is known to us but that the model has answered. */
const strange: [name: string, pair: Pair, more: Record<string, unknown>][] = [
  ['an unheard-of item', openaiResponses, { input: [{ type: 'unheard_of', surprise }] }],
  ['an unheard-of kind of tool', openaiResponses, { tools: [{ type: 'unheard_of', surprise }] }],
  ['an unheard-of role', openaiChat, { messages: [{ role: 'unheard-of', content: [{ type: 'unheard-of' }] }] }],
  ['an unheard-of block', anthropic, { messages: [{ role: 'user', content: [{ type: 'unheard_of' }] }] }],
  ['no part we know', gemini, { contents: [{ role: 'user', parts: [{ unheardOf: surprise }] }] }],
]

test.each(strange)('an answer to %s that breaks off without a report is paid by count', async (_, pair, more) => {
  const report = /"usage"|completed|message_stop|DONE|"stop"|STOP/
  await scene.channel(eventStream(...pair.frames.filter((each) => !report.test(each))), { type: pair.type })
  const body = { ...(pair === gemini ? {} : { model: 'gpt-4o', stream: true }), ...pair.body, ...more }
  const bill = await scene.bill(async () => {
    const response = await scene.post(pair.path(true), body)
    expect(response.status).toBe(200)
    await response.text()
  })
  expect(bill.holds).toBe(0)
  expect(bill.rows[0]).toMatchObject({ outcome: 'failed' })
  expect(bill.user).toBeLessThan(0)
})

test.each(strange)('a stream asked for with %s and answered in one piece is still a stream', async (_, pair, more) => {
  await scene.channel(() => Response.json(pair.whole), { type: pair.type })
  const body = { ...(pair === gemini ? {} : { model: 'gpt-4o', stream: true }), ...pair.body, ...more }
  const response = await scene.post(pair.path(true), body)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect(await response.text()).toContain('hello')
})

test.each(['anthropic-beta', 'anthropic-version'])('the header %s reaches Anthropic', async (header) => {
  const upstream = await scene.channel(() => Response.json(anthropic.whole), { type: 14 })
  const body = { model: 'gpt-4o', ...anthropic.body }
  await scene.post('/v1/messages?beta=true', body, { headers: { [header]: '2099-01-01' } })
  expect(upstream.seen[0]?.headers.get(header)).toBe('2099-01-01')
})

test.each(['http-referer', 'x-title'])('the header %s, by which apps are known, reaches OpenRouter', async (header) => {
  const upstream = await scene.channel(() => Response.json(openaiChat.whole), { type: 20 })
  await scene.post('/v1/chat/completions', { model: 'gpt-4o', ...openaiChat.body }, { headers: { [header]: 'my app' } })
  expect(upstream.seen[0]?.headers.get(header)).toBe('my app')
})
