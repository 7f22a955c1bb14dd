import { describe, expect, test } from 'bun:test'
import type { ChatRequest } from '#server/dialects/chat.ts'
import { checkTable } from '#shared/testing/table.ts'
import { providerOf } from './index.ts'
import type { Body, Target } from './provider.ts'
import { requestOf, targetOf, toolsOf } from './testing.ts'

/** The body a provider makes of a body, without the fields that are undefined. */
function adjusted(type: number, body: Body, asks: Partial<Target> = {}): unknown {
  const made = providerOf(type).adjust?.(body, targetOf(type, asks), toolsOf()) ?? body
  return JSON.parse(JSON.stringify(made))
}

const pdf = 'data:application/pdf;base64,JVBERg=='
const pdfPicture = { type: 'image_url', image_url: { url: pdf } }
const pdfFile = { type: 'file', file: { file_data: pdf, filename: 'file.pdf' } }

describe('vendor fields', () => {
  const fieldRows: readonly (readonly [string, number, Body, Partial<Target>, Body])[] = [
    [
      'OpenAI renames the limit for reasoning models',
      1,
      { max_tokens: 5 },
      { model: 'gpt-5.4' },
      { max_completion_tokens: 5 },
    ],
    ['OpenAI keeps the limit of older models', 1, { max_tokens: 5 }, { model: 'gpt-4o' }, { max_tokens: 5 }],
    ['Azure too, which writes no dots', 3, { max_tokens: 5 }, { model: 'gpt-35-turbo' }, { max_tokens: 5 }],
    [
      'the newer name wins',
      3,
      { max_tokens: 5, max_completion_tokens: 6 },
      { model: 'o3' },
      { max_completion_tokens: 6 },
    ],
    ['others take the old name', 31, { max_completion_tokens: 5 }, {}, { max_tokens: 5 }],
    ['Baichuan drops zeros', 26, { temperature: 0, n: 1, stop: null }, {}, { n: 1 }],
    ['Moonshot fixes the temperature', 25, { temperature: 0.2 }, { model: 'kimi-k2.6' }, { temperature: 1 }],
    ['FastGPT keeps to plain answers', 22, { detail: true }, {}, { detail: false }],
    ['AI Proxy names the library', 21, { query: 'q' }, { other: 'L' }, { query: 'q', libraryId: 'L' }],
    [
      'PDFs in the place of pictures are files',
      1,
      { messages: [{ role: 'user', content: [pdfPicture, { type: 'text', text: 'x' }] }] },
      {},
      { messages: [{ role: 'user', content: [pdfFile, { type: 'text', text: 'x' }] }] },
    ],
    [
      'Groq gets no names',
      29,
      { messages: [{ role: 'user', name: 'x' }], logprobs: false },
      {},
      { messages: [{ role: 'user' }] },
    ],
    [
      'Zhipu samples not at 0',
      16,
      { temperature: 0, top_p: 1, stop: ['a', 'b'] },
      {},
      { do_sample: false, top_p: 0.99, stop: ['a'] },
    ],
    ['Zhipu stops at a list of one', 16, { stop: 'END' }, {}, { stop: ['END'] }],
    ['Zhipu thinks or not', 16, { reasoning_effort: 'none' }, {}, { thinking: { type: 'disabled' } }],
    ['Zhipu chooses tools itself', 16, { tools: [], tool_choice: 'required' }, {}, { tools: [], tool_choice: 'auto' }],
    ['DashScope thinks or not', 17, { reasoning_effort: 'high' }, {}, { enable_thinking: true }],
    [
      'DashScope searches the web for -internet names',
      17,
      { model: 'qwen-plus-internet', parameters: { seed: 1 } },
      { model: 'qwen-plus-internet' },
      { model: 'qwen-plus', parameters: { seed: 1, enable_search: true } },
    ],
    [
      'MiniMax splits the reasoning off for clients of other dialects',
      27,
      {},
      { clientDialect: 'anthropic-messages' },
      { reasoning_split: true },
    ],
    ['MiniMax passes OpenAI clients through', 27, {}, { clientDialect: 'openai-chat' }, {}],
    [
      'Spark gets account and domain',
      18,
      { header: { uid: 'u' }, parameter: { chat: { top_k: 2 } } },
      { key: 'app|s|k', model: 'Spark-Max' },
      { header: { uid: 'u', app_id: 'app' }, parameter: { chat: { top_k: 2, domain: 'generalv3.5' } } },
    ],
  ]
  test('every vendor gets the fields it knows', async () => {
    const cells = fieldRows.map(([name, ...row]) => [name, row] as const)
    await checkTable(cells, async ([type, body, asks, expected]) => {
      expect(adjusted(type, body, asks)).toEqual(expected)
    })
  })

  test('likelihoods are refused by name where a vendor has none', () => {
    for (const type of [28, 29])
      expect(() => adjusted(type, { messages: [], logprobs: true }), `type ${type}`).toThrow(/logprobs/)
  })

  test('Mistral gets its own names and short call ids that match', () => {
    const messages = [
      { role: 'assistant', tool_calls: [{ id: 'call_123456', function: { name: 'f' } }] },
      { role: 'tool', tool_call_id: 'call_123456', content: 'x' },
      { role: 'tool', tool_call_id: 'abcDEF123', content: 'y' },
    ]
    const body = adjusted(28, { messages, seed: 3, stream_options: { include_usage: true }, max_completion_tokens: 4 })
    expect(body).toMatchObject({ random_seed: 3, max_tokens: 4 })
    expect(body).not.toHaveProperty('stream_options')
    const text = JSON.stringify(body)
    const ids = [...text.matchAll(/"(?:id|tool_call_id)":"(\w{9})"/g)].map((match) => match[1])
    expect(ids).toHaveLength(3)
    expect(ids[0]).toBe(ids[1])
    expect(ids[2]).toBe('abcDEF123')
  })

  test('a client of the format is spared what only this vendor writes', () => {
    const mistral = providerOf(28)
    expect(mistral.passesThrough?.(targetOf(28), {})).toBe(true)
    expect(mistral.passesThrough?.(targetOf(28, { model: 'magistral-medium' }), {})).toBe(false)
    expect(mistral.passesThrough?.(targetOf(28), { reasoning_effort: 'high' })).toBe(false)
    expect(providerOf(27).passesThrough?.(targetOf(27, { model: 'abab6-chat', stream: true }), {})).toBe(false)
  })
})

describe('variants of the OpenAI format', () => {
  const events = (type: number, body: unknown, asks: Partial<Target> = {}) =>
    providerOf(type).dialect(targetOf(type, asks)).decodeResponse(body)

  test('MiniMax hides errors in a success', () => {
    expect(events(27, { base_resp: { status_code: 1008, status_msg: 'no balance' } })).toMatchObject([
      { type: 'fault', fault: { status: 402, message: 'no balance' } },
    ])
    expect(events(27, { choices: [], base_resp: { status_code: 0 } })).not.toContainEqual(
      expect.objectContaining({ type: 'fault' }),
    )
  })

  test('the repeated answer at the end of an old MiniMax stream brings its usage alone', () => {
    const decoder = providerOf(27).dialect(targetOf(27)).streamDecoder()
    const delta = { id: 'x', choices: [{ index: 0, delta: { content: 'Hi' } }] }
    const whole = {
      id: 'x',
      object: 'chat.completion',
      choices: [{ index: 0, message: { content: 'Hi' } }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    }
    const seen = [delta, whole].flatMap((chunk) => decoder.push({ data: JSON.stringify(chunk) }))
    expect(seen.filter((event) => event.type === 'text-delta')).toHaveLength(1)
    expect(seen.at(-1)).toEqual({ type: 'usage', usage: { input: 1, output: 2 } })
  })

  test('Groq reports usage in a corner', () => {
    const decoder = providerOf(29).dialect(targetOf(29)).streamDecoder()
    const usage = { prompt_tokens: 3, completion_tokens: 4 }
    expect(decoder.push({ data: JSON.stringify({ choices: [], x_groq: { usage } }) })).toContainEqual({
      type: 'usage',
      usage: { input: 3, output: 4 },
    })
  })

  test("FastGPT's usage is not believed", () => {
    const body = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }
    expect(events(22, body).some((event) => event.type === 'usage')).toBe(false)
  })

  test('Zhipu and Spark number their errors', () => {
    const zhipu = providerOf(16).dialect(targetOf(16))
    expect(zhipu.decodeError(429, { error: { code: '1113', message: 'x' } })).toMatchObject({
      code: 'insufficient_quota',
    })
    expect(events(18, { code: 11200, message: 'x', sid: 's' })).toMatchObject([
      { type: 'fault', fault: { status: 403 } },
    ])
  })
})

test('pictures become bytes for providers that fetch nothing', async () => {
  const url = 'https://pictures.example/a.png'
  const messages: ChatRequest['messages'] = [{ role: 'user', parts: [{ type: 'image', url }] }]
  for (const type of [24, 30]) {
    const prepared = await providerOf(type).prepare?.(requestOf({ messages }), targetOf(type), toolsOf())
    expect(prepared?.messages[0]?.parts).toEqual([
      { type: 'image', url: `data:image/png;base64,${Buffer.from(url).toString('base64')}` },
    ])
  }
})

test('files become bytes for OpenAI’s chat, which fetches pictures alone; its responses fetch both', async () => {
  const image = { type: 'image' as const, url: 'https://pictures.example/a.png' }
  const file = { type: 'file' as const, url: 'https://files.example/a.pdf', filename: 'a.pdf' }
  const messages: ChatRequest['messages'] = [{ role: 'user', parts: [image, file] }]
  const prepare = async (model: string) => {
    const prepared = await providerOf(1).prepare?.(requestOf({ model, messages }), targetOf(1, { model }), toolsOf())
    return prepared?.messages[0]?.parts
  }
  expect(await prepare('gpt-4o')).toEqual([
    image,
    { ...file, url: expect.stringMatching(/^data:.*;base64,/) as unknown as string },
  ])
  expect(await prepare('gpt-5.4-pro')).toEqual([image, file])
})
