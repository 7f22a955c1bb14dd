import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { newestOpenai } from '#server/testing/doubles/newest-openai.ts'
import { doubleUsage } from '#server/testing/doubles/script.ts'
import { expectCharge, expectFree } from '#server/testing/expect-charge.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { doubleCharge } from '#server/testing/vendor-scene.ts'
import { checkTable } from '#shared/testing/table.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const chatTools = [{ type: 'function', function: { name: 'weather', parameters } }]
const customTools = [{ type: 'custom', custom: { name: 'shell' } }]
const messageTools = [{ name: 'weather', input_schema: parameters }]
const geminiTools = [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: parameters }] }]

/** `gpt-4o` is what clients say: the upstream's model is what it is mapped to. */
const channelOf = (model: string, more: Partial<Parameters<RelayScene['channel']>[1] & object> = {}) =>
  scene.channel(newestOpenai, { model_mapping: JSON.stringify({ 'gpt-4o': model }), ...more })

type Effort = 'absent' | 'none' | 'low'
const efforts: readonly Effort[] = ['absent', 'none', 'low']

const clients = {
  chat: {
    path: '/v1/chat/completions',
    body: (effort: Effort, tools: boolean) => ({
      messages: [{ role: 'user', content: 'hi' }],
      ...(tools ? { tools: chatTools } : {}),
      ...(effort === 'absent' ? {} : { reasoning_effort: effort }),
    }),
    modelOf: (answer: Record<string, unknown>) => answer.model,
  },
  'chat with a custom tool': {
    path: '/v1/chat/completions',
    body: (effort: Effort, tools: boolean) => ({
      messages: [{ role: 'user', content: 'hi' }],
      ...(tools ? { tools: customTools } : {}),
      ...(effort === 'absent' ? {} : { reasoning_effort: effort }),
    }),
    modelOf: (answer: Record<string, unknown>) => answer.model,
  },
  messages: {
    path: '/v1/messages',
    body: (effort: Effort, tools: boolean) => ({
      max_tokens: 100,
      messages: [{ role: 'user', content: 'hi' }],
      ...(tools ? { tools: messageTools } : {}),
      ...(effort === 'none' ? { thinking: { type: 'disabled' } } : {}),
      ...(effort === 'low' ? { output_config: { effort } } : {}),
    }),
    modelOf: (answer: Record<string, unknown>) => answer.model,
  },
  Gemini: {
    path: '/v1beta/models/gpt-4o:generateContent',
    body: (effort: Effort, tools: boolean) => ({
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      ...(tools ? { tools: geminiTools } : {}),
      ...(effort === 'none' ? { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } } : {}),
      ...(effort === 'low' ? { generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' } } } : {}),
    }),
    modelOf: (answer: Record<string, unknown>) => answer.modelVersion,
  },
}

/** c: chat, r: responses; for tools with no effort, with `none` and with `low`. */
const rows: Readonly<Record<string, string>> = {
  'gpt-4.1': 'ccc',
  'gpt-5': 'ccc',
  'gpt-5.3': 'ccc',
  'gpt-5.4-chat-latest': 'ccc',
  'gpt-6.1-chat': 'ccc',
  'gpt-7-unknown': 'ccc',
  'gpt-5.4': 'ccr',
  'gpt-5.5-mini': 'ccr',
  'gpt-5.6-sol': 'rcr',
  'gpt-6-sol-2026-09-22': 'rcr',
  'gpt-6-luna': 'rcr',
  'gpt-6-astra': 'rrr',
  'gpt-6.1-terra': 'rrr',
}

const paths = { c: '/v1/chat/completions', r: '/v1/responses' }

async function asks(model: string, client: keyof typeof clients, tools: boolean): Promise<void> {
  const { path, body, modelOf } = clients[client]
  for (const [at, effort] of efforts.entries()) {
    const wanted = tools ? (rows[model]?.[at] as 'c' | 'r') : 'c'
    const channel = await channelOf(model)
    let answer: Record<string, unknown> = {}
    const bill = await scene.bill(async () => {
      const response = await scene.post(path, { model: 'gpt-4o', ...body(effort, tools) })
      answer = (await response.json()) as typeof answer
      expect(response.status, JSON.stringify(answer)).toBe(200)
    })
    expectCharge(bill, doubleCharge, { model_name: 'gpt-4o', prompt_tokens: doubleUsage.input })
    expect(channel.seen.map((seen) => seen.path)).toEqual([paths[wanted]])
    expect(modelOf(answer)).toBe('gpt-4o')
    const sent = channel.seen[0]?.body ?? {}
    expect(sent.model).toBe(model)
    if (wanted === 'r') {
      expect(sent).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
      const effortSent = (sent.reasoning as { effort?: string } | undefined)?.effort
      expect(effortSent).toBe(effort === 'low' ? 'low' : undefined)
    }
    await scene.clear()
  }
}

describe('which API a request with tools takes', () => {
  const cells = Object.keys(rows).flatMap((model) =>
    (Object.keys(clients) as (keyof typeof clients)[]).map(
      (client) => [`${model}, ${client}`, { model, client }] as const,
    ),
  )
  test('depends on the model and the effort, for clients of chat, messages and Gemini', () =>
    checkTable(cells, ({ model, client }) => asks(model, client, true)))

  test('is chat without tools', () =>
    checkTable(
      Object.keys(rows).map((model) => [model, model] as const),
      (model) => asks(model, 'chat', false),
    ))
})

test('custom channels choose too; hosts that translate themselves are left alone', async () => {
  for (const [type, model, path] of [
    [8, 'gpt-6-astra', '/v1/responses'],
    [8, 'openai/gpt-6-astra', '/v1/responses'],
    [8, 'gpt-5-pro', '/v1/responses'],
    [20, 'gpt-4o', '/v1/chat/completions'],
  ] as const) {
    const channel = await channelOf(model, { type })
    expectCharge(await scene.bill(() => scene.chat({ tools: chatTools })), doubleCharge)
    expect(channel.seen.map((seen) => seen.path)).toEqual([path])
    await scene.clear()
  }
})

describe('an error of responses reaches a client of chat in its own words', () => {
  const error = {
    message: 'The picture is broken.',
    type: 'invalid_request_error',
    code: 'invalid_image',
    param: 'input',
  }

  test('as an answer', async () => {
    await scene.channel(() => Response.json({ error }, { status: 400 }), { model_mapping: '{"gpt-4o":"gpt-6-sol"}' })
    const bill = await scene.bill(async () => {
      const response = await scene.chat({ tools: chatTools })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_image', type: 'invalid_request_error' } })
    })
    expectFree(bill, { outcome: 'failed' })
  })

  test('inside a stream', async () => {
    const frame = (data: { type: string }) =>
      new TextEncoder().encode(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
    const created = { type: 'response.created', response: { id: 'r', status: 'in_progress', model: 'gpt-6-sol' } }
    const delta = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hel' }
    const broken = { code: 'server_error', message: 'Broken.' }
    const failed = { type: 'response.failed', response: { id: 'r', status: 'failed', error: broken } }
    const wasRead = Promise.withResolvers<void>()
    const body = () =>
      new ReadableStream<Uint8Array>({
        async start(controller) {
          for (const data of [created, delta]) controller.enqueue(frame(data))
          await wasRead.promise
          controller.enqueue(frame(failed))
          controller.close()
        },
      })
    await scene.channel(() => new Response(body(), { headers: { 'content-type': 'text/event-stream' } }), {
      model_mapping: '{"gpt-4o":"gpt-6-sol"}',
    })
    const response = await scene.chat({ tools: chatTools, stream: true })
    let text = ''
    for await (const piece of response.body ?? []) {
      text += new TextDecoder().decode(piece)
      if (text.includes('"content":"Hel"')) wasRead.resolve()
    }
    expect(text).toContain('"error":{"message":"Broken.')
    expect(text).not.toContain('response.')
  })
})
