import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts'
import type { ChatEvent, ChatRequest } from './chat.ts'
import type { Dialect } from './dialect.ts'
import { contentTypeOf, createFrameWriter } from './framing.ts'
import { gemini } from './gemini/gemini.ts'
import { openaiChat } from './openai-chat/openai-chat.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'
import { tag } from './signature.ts'

const usage = { input: 20, output: 9, cacheRead: 5, reasoning: 3 }

const greeting: ChatEvent[] = [
  { type: 'start', id: 'a1', model: 'some-model', created: 1_700_000_000 },
  { type: 'reasoning-delta', text: 'think' },
  { type: 'reasoning-signature', signature: tag('anthropic-messages', 'proof') },
  { type: 'text-delta', text: 'Hel' },
  { type: 'text-delta', text: 'lo' },
  { type: 'finish', reason: 'stop' },
  { type: 'usage', usage },
]

const calling: ChatEvent[] = [
  { type: 'start', id: 'a2', model: 'some-model', created: 1_700_000_000 },
  { type: 'tool-call-start', index: 0, id: 'call_1', name: 'weather', signature: 'c2lnbmVk' },
  { type: 'tool-call-delta', index: 0, arguments: '{"city":' },
  { type: 'tool-call-delta', index: 0, arguments: '"Paris"}' },
  { type: 'tool-call-start', index: 1, id: 'call_2', name: 'weather' },
  { type: 'tool-call-delta', index: 1, arguments: '{"city":"Rome"}' },
  { type: 'finish', reason: 'tool-calls' },
  { type: 'usage', usage },
]

const broken: ChatEvent[] = [
  { type: 'start', id: 'a3', model: 'some-model' },
  { type: 'text-delta', text: 'Hel' },
  { type: 'fault', fault: { status: 503, message: 'gone away', type: 'server_error' } },
]

const paths: Record<string, Dialect> = {
  '/v1/chat/completions': openaiChat,
  '/v1/responses': openaiResponses,
  '/v1/messages': anthropicMessages,
}

/** What the next request is answered with, and how the last one was understood. */
let answer: ChatEvent[] = greeting
let seen: ChatRequest | undefined
let server: ReturnType<typeof Bun.serve>

async function reply(incoming: Request): Promise<Response> {
  const { pathname } = new URL(incoming.url)
  const dialect = paths[pathname] ?? gemini
  const action = /models\/([^:]+):(\w+)/.exec(pathname)
  const body = await incoming.json()
  const inPath = action ? { model: action[1], stream: action[2] === 'streamGenerateContent' } : {}
  const request = dialect.decodeRequest({ ...body, ...inPath })
  seen = request
  if (!request.stream) return Response.json(dialect.encodeResponse(answer, request))
  const encoder = dialect.streamEncoder(request)
  const writer = createFrameWriter('sse')
  const frames = [...answer.flatMap((event) => encoder.push(event)), ...encoder.end()]
  const text = frames.map(writer.write).join('') + writer.end()
  return new Response(text, { headers: { 'content-type': contentTypeOf('sse') } })
}

beforeAll(() => {
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: reply })
})
afterAll(() => server.stop(true))
beforeEach(() => {
  answer = greeting
})

const base = () => `http://127.0.0.1:${server.port}`
const question = 'Say hello'
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

/** What a tool loop must give back to the relay on its second turn. */
function expectToolTurn(): void {
  const parts = seen?.messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []))
  const calls = parts?.filter((part) => part.type === 'tool-call') ?? []
  expect(calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
    ['weather', { city: 'Paris' }],
    ['weather', { city: 'Rome' }],
  ])
  expect(calls[0]?.signature).toBe('c2lnbmVk')
  const results = seen?.messages.filter((message) => message.role === 'tool')
  expect(results?.map((message) => message.callId)).toEqual(calls.map((call) => call.id))
}

describe('the openai client on chat completions', () => {
  const client = () => new OpenAI({ apiKey: 'k', baseURL: `${base()}/v1`, maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: question }]
  const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }]

  test('reads a plain answer', async () => {
    const got = await client().chat.completions.create({ model: 'm', messages })
    expect(got.choices[0]?.message.content).toBe('Hello')
    expect(got.choices[0]?.finish_reason).toBe('stop')
    expect(got.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 })
  })

  test('reads a stream, with usage when it asks', async () => {
    const run = client().chat.completions.stream({ model: 'm', messages, stream_options: { include_usage: true } })
    const got = await run.finalChatCompletion()
    expect(got.choices[0]?.message.content).toBe('Hello')
    expect(got.usage?.prompt_tokens_details?.cached_tokens).toBe(5)
  })

  test('runs a tool loop whose signature comes back', async () => {
    answer = calling
    const stream = client().chat.completions.stream({ model: 'm', messages, tools })
    const got = await stream.finalChatCompletion()
    expect(got.choices[0]?.finish_reason).toBe('tool_calls')
    const plain = await client().chat.completions.create({ model: 'm', messages, tools })
    const message = plain.choices[0]?.message
    if (!message) throw new Error('no message')
    const results = (message.tool_calls ?? []).map((call) => ({
      role: 'tool' as const,
      tool_call_id: call.id,
      content: 'sun',
    }))
    await client().chat.completions.create({ model: 'm', messages: [...messages, message, ...results], tools })
    expectToolTurn()
  })

  test('throws on a fault in mid-stream', async () => {
    answer = broken
    const stream = await client().chat.completions.create({ model: 'm', messages, stream: true })
    await expect(Array.fromAsync(stream)).rejects.toThrow('gone away')
  })
})

describe('the openai client on responses', () => {
  const client = () => new OpenAI({ apiKey: 'k', baseURL: `${base()}/v1`, maxRetries: 0 })
  const tools = [{ type: 'function' as const, name: 'weather', parameters, strict: false }]

  test('reads a plain answer', async () => {
    const got = await client().responses.create({ model: 'm', input: question })
    expect(got.output_text).toBe('Hello')
    expect(got.status).toBe('completed')
    expect(got.usage).toMatchObject({ input_tokens: 20, output_tokens: 9, total_tokens: 29 })
  })

  test('reads a stream', async () => {
    const got = await client().responses.stream({ model: 'm', input: question }).finalResponse()
    expect(got.output_text).toBe('Hello')
    expect(got.output[0]).toMatchObject({ type: 'reasoning', summary: [{ text: 'think' }] })
  })

  test('runs a tool loop whose signature comes back', async () => {
    answer = calling
    const got = await client().responses.stream({ model: 'm', input: question, tools }).finalResponse()
    const results = got.output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'sun' }]
        : [],
    )
    const output = got.output as OpenAI.Responses.ResponseInputItem[]
    const input = [{ role: 'user' as const, content: question }, ...output, ...results]
    await client().responses.create({ model: 'm', input, tools })
    expectToolTurn()
  })

  test('sees a fault in mid-stream', async () => {
    answer = broken
    const stream = await client().responses.create({ model: 'm', input: question, stream: true })
    const events = await Array.fromAsync(stream)
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { error: { message: 'gone away' } } })
  })
})

describe('the anthropic client', () => {
  const client = () => new Anthropic({ apiKey: 'k', baseURL: base(), maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: question }]
  const tools = [{ name: 'weather', input_schema: { type: 'object' as const, properties: parameters.properties } }]
  const settings = { model: 'm', max_tokens: 100, messages }

  test('reads a plain answer', async () => {
    const got = await client().messages.create(settings)
    expect(got.content).toMatchObject([
      { type: 'thinking', thinking: 'think', signature: 'proof' },
      { type: 'text', text: 'Hello' },
    ])
    expect(got.stop_reason).toBe('end_turn')
    expect(got.usage).toMatchObject({ input_tokens: 15, cache_read_input_tokens: 5, output_tokens: 9 })
  })

  test('reads a stream', async () => {
    const got = await client().messages.stream(settings).finalMessage()
    expect(got.content).toMatchObject([{ thinking: 'think', signature: 'proof' }, { text: 'Hello' }])
    expect(got.usage.output_tokens).toBe(9)
  })

  test('runs a tool loop whose signature comes back', async () => {
    answer = calling
    const got = await client()
      .messages.stream({ ...settings, tools })
      .finalMessage()
    expect(got.stop_reason).toBe('tool_use')
    const results = got.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'sun' }] : [],
    )
    const turns = [
      ...messages,
      { role: 'assistant' as const, content: got.content },
      { role: 'user' as const, content: results },
    ]
    await client().messages.create({ ...settings, tools, messages: turns })
    expectToolTurn()
  })

  test('throws on a fault in mid-stream', async () => {
    answer = broken
    await expect(client().messages.stream(settings).finalMessage()).rejects.toThrow('gone away')
  })
})

describe('the google client', () => {
  const client = () => new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: base() } })
  const config = { tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: parameters }] }] }

  test('reads a plain answer', async () => {
    const got = await client().models.generateContent({ model: 'm', contents: question })
    expect(got.text).toBe('Hello')
    expect(got.candidates?.[0]?.finishReason as unknown).toBe('STOP')
    expect(got.usageMetadata).toMatchObject({ promptTokenCount: 20, candidatesTokenCount: 6, thoughtsTokenCount: 3 })
  })

  test('reads a stream', async () => {
    const stream = await client().models.generateContentStream({ model: 'm', contents: question })
    const chunks = await Array.fromAsync(stream)
    expect(chunks.map((chunk) => chunk.text ?? '').join('')).toBe('Hello')
    expect(chunks.at(-1)?.usageMetadata?.totalTokenCount).toBe(29)
  })

  test('runs a tool loop whose signature comes back', async () => {
    answer = calling
    const got = await client().models.generateContent({ model: 'm', contents: question, config })
    const turn = got.candidates?.[0]?.content
    if (!turn) throw new Error('no content')
    const parts = (got.functionCalls ?? []).map(({ id, name }) => ({
      functionResponse: { ...(id ? { id } : {}), name: name ?? '', response: { output: 'sun' } },
    }))
    const contents = [{ role: 'user', parts: [{ text: question }] }, turn, { role: 'user', parts }]
    await client().models.generateContent({ model: 'm', contents, config })
    expectToolTurn()
  })

  test('throws on a fault in mid-stream', async () => {
    answer = broken
    const stream = await client().models.generateContentStream({ model: 'm', contents: question })
    await expect(Array.fromAsync(stream)).rejects.toThrow()
  })
})
