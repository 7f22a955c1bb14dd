import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { expectCharge } from '#server/testing/expect-charge.ts'
import { chatAnswer, eventStream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const usage = { prompt_tokens: 1000, completion_tokens: 100 }

describe('a report', () => {
  const reported = async (report: object, model = 'claude-sonnet-4-5') => {
    await scene.channel(chatAnswer('hello', { ...usage, ...report }), { models: model })
    return scene.bill(() => scene.chat({ model }))
  }

  test('in the shape of OpenAI distinguishes cache writes of five minutes and of an hour', async () => {
    const bill = await reported({
      prompt_tokens_details: {
        cache_creation_tokens: 500,
        cache_creation_token_details: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 200 },
      },
    })
    expectCharge(bill, Math.ceil(1.5 * (500 + 300 * 1.25 + 200 * 2) + 100 * 7.5))
  })

  const cached = { cache_creation_input_tokens: 90_000 }
  const read = { cache_read_input_tokens: 90_000 }
  test.each([
    ['written to a cache', 9, cached, 90_000 * 1.875, false],
    ['written to a cache', 9, cached, 90_000 * 1.875, true],
    ['to be read again alone', 0, read, 90_000 * 0.15, false],
    ['to be read again alone', 0, read, 90_000 * 0.15, true],
    ['to be read again for next to no answer', 1, read, 90_000 * 0.15, false],
  ])(
    'of a prompt that was %s counts, though nothing was answered (max_tokens: %p)',
    async (_, most, used, cost, stream) => {
      const usage = { input_tokens: 10, ...used, output_tokens: 0 }
      const message = { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [], usage }
      const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
      const whole = () => Response.json({ ...message, stop_reason: 'max_tokens' })
      const events = eventStream(
        event('message_start', { message }),
        event('message_delta', { delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 0 } }),
        event('message_stop', {}),
      )
      await scene.channel(stream ? events : whole, { type: 14, models: 'claude-sonnet-4-5' })
      const content = [{ type: 'text', text: 'long', cache_control: { type: 'ephemeral' } }]
      const body = { model: 'claude-sonnet-4-5', max_tokens: most, stream, messages: [{ role: 'user', content }] }
      const bill = await scene.bill(async () => (await scene.post('/v1/messages', body)).text())
      expectCharge(bill, 10 * 1.5 + cost, { prompt_tokens: 90_010, completion_tokens: 0 })
    },
  )

  test.each([
    ['zeros', { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 40 }],
    ['nothing', { input_tokens: 0, output_tokens: 0 }],
  ])('of a question holds when the end of the stream repeats it as %s', async (_, later) => {
    const usage = { input_tokens: 1000, cache_read_input_tokens: 500, output_tokens: 40 }
    const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [], usage }
    const events = eventStream(
      event('message_start', { message }),
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'hello' } }),
      event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: later }),
      event('message_stop', {}),
    )
    await scene.channel(events, { type: 14, models: 'claude-sonnet-4-5' })
    const body = {
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      stream: true,
      messages: [{ role: 'user', content: 'hi' }],
    }
    const bill = await scene.bill(async () => (await scene.post('/v1/messages', body)).text())
    expectCharge(bill, 1000 * 1.5 + 500 * 0.15 + 40 * 7.5, { prompt_tokens: 1500, completion_tokens: 40 })
  })

  test('whose total is beyond prompt and completion means more output', async () => {
    await scene.channel(() =>
      Response.json({
        id: 'c',
        model: 'm',
        choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 115 },
      }),
    )
    expectCharge(await scene.bill(() => scene.chat()), 10 + 4 * 105)
  })

  test('of a negative prompt adds nothing to the answer', async () => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
    await scene.channel(() => Response.json({ choices, usage: { prompt_tokens: -1000, completion_tokens: 5 } }))
    expectCharge(await scene.bill(() => scene.chat()), 8 + 4 * 5)
  })

  describe('that has nothing but a total', () => {
    const hi = [{ role: 'user', content: 'hi' }]
    const whole = { choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }] }
    const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hello' }] }
    const candidates = [{ content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP' }]
    const gemini = '/v1beta/models/gpt-4o:generateContent'
    test.each([
      ['chat', '/v1/chat/completions', 1, { messages: hi }, { ...whole, usage: { total_tokens: 500 } }],
      [
        'responses',
        '/v1/responses',
        1,
        { input: 'hi' },
        { object: 'response', status: 'completed', output: [message], usage: { total_tokens: 500 } },
      ],
      [
        'Gemini',
        gemini,
        24,
        { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
        { candidates, usageMetadata: { totalTokenCount: 500 } },
      ],
    ] as const)('is paid once, the prompt in it (%s)', async (_, path, type, body, answer) => {
      await scene.channel(() => Response.json(answer), { type })
      const { rows, user } = await scene.bill(() => scene.post(path, { model: 'gpt-4o', ...body }))
      const [row] = rows
      expect((row?.prompt_tokens ?? 0) + (row?.completion_tokens ?? 0)).toBe(500)
      expect(row?.prompt_tokens).toBeGreaterThan(0)
      expect(user).toBe(-((row?.prompt_tokens ?? 0) + 4 * (row?.completion_tokens ?? 0)))
    })

    test('of pictures is paid as drawn, but for the prompt', async () => {
      const answer = { data: [{ b64_json: 'AAAA' }], usage: { total_tokens: 1000 } }
      await scene.channel(() => Response.json(answer), { models: 'gpt-image-1' })
      const bill = await scene.bill(() => scene.post('/v1/images/generations', { model: 'gpt-image-1', prompt: 'cat' }))
      expectCharge(bill, Math.ceil(2.5 + 999 * 20), { prompt_tokens: 1, completion_tokens: 999 })
    })

    test.each([
      ['less than the prompt is counted as', { total_tokens: 3 }, { prompt_tokens: 3, completion_tokens: 0 }],
      [
        'a completion beside it',
        { completion_tokens: 90, total_tokens: 93 },
        { prompt_tokens: 3, completion_tokens: 90 },
      ],
    ])('of %s is split within it', async (_, usage, row) => {
      await scene.channel(() => Response.json({ ...whole, usage }))
      const bill = await scene.bill(() => scene.chat())
      expectCharge(bill, row.prompt_tokens + 4 * row.completion_tokens, row)
    })
  })

  test.each([false, true])(
    'that is missing counts a prompt that is only repeated once (stream: %s)',
    async (stream) => {
      const prompt = 'hello '.repeat(50).trim()
      const chunk = (text: string, finish_reason: string | null) => ({
        id: 'c',
        choices: [{ index: 0, text, finish_reason }],
      })
      const frames = [chunk(prompt, null), chunk(' hello', 'stop')].map((frame) => `data: ${JSON.stringify(frame)}\n\n`)
      await scene.channel(
        stream ? eventStream(...frames, 'data: [DONE]\n\n') : () => Response.json(chunk(`${prompt} hello`, 'stop')),
      )
      const body = { model: 'gpt-4o', prompt, echo: true, max_tokens: 1, stream }
      const bill = await scene.bill(async () => (await scene.post('/v1/completions', body)).text())
      expectCharge(bill, 50 + 4, { prompt_tokens: 50, completion_tokens: 1 })
    },
  )

  test('that is missing counts a whole answer that does not repeat its prompt, whatever was asked for', async () => {
    const text = 'hello '.repeat(50).trim()
    await scene.channel(() => Response.json({ id: 'c', choices: [{ index: 0, text, finish_reason: 'stop' }] }))
    const body = { model: 'gpt-4o', prompt: 'Say it fifty times.', echo: true, n: 2, max_tokens: 100 }
    const bill = await scene.bill(() => scene.post('/v1/completions', body))
    expectCharge(bill, 5 + 4 * 50, { prompt_tokens: 5, completion_tokens: 50 })
  })

  const said = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
  const report = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 }

  test('of a chat in the words of responses counts each token once', async () => {
    const usage = { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 }
    await scene.channel(() => Response.json({ id: 'c', choices: said, usage }))
    expectCharge(await scene.bill(() => scene.chat()), 1000 + 4 * 100, { prompt_tokens: 1000, completion_tokens: 100 })
  })

  test('inside of the choice it finishes counts', async () => {
    const chunk = (choice: object) => `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, ...choice }] })}\n\n`
    const finish = chunk({ delta: {}, finish_reason: 'stop', usage: report })
    await scene.channel(eventStream(chunk({ delta: { content: 'hello' } }), finish, 'data: [DONE]\n\n'))
    expectCharge(await scene.bill(async () => (await scene.chat({ stream: true })).text()), 1000 + 4 * 100)
  })

  test('of pictures in the cache charges them once, as cached', async () => {
    await scene.channel(
      () =>
        Response.json({
          candidates: [{ content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP' }],
          usageMetadata: {
            promptTokenCount: 1000,
            candidatesTokenCount: 100,
            totalTokenCount: 1100,
            cachedContentTokenCount: 900,
            promptTokensDetails: [{ modality: 'IMAGE', tokenCount: 900 }],
            cacheTokensDetails: [{ modality: 'IMAGE', tokenCount: 900 }],
          },
        }),
      { type: 24, models: 'gemini-2.5-flash' },
    )
    const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
    const bill = await scene.bill(() => scene.post('/v1beta/models/gemini-2.5-flash:generateContent', body))
    // 100 × 0.15 + 900 × 0.015 + 100 × 1.25
    expectCharge(bill, 154)
  })

  test('of a picture model that is sold by the picture does not change its price', async () => {
    const drawn = { data: [{ url: 'u' }], usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10 } }
    await scene.channel(() => Response.json(drawn), { models: 'dall-e-3' })
    const bill = await scene.bill(() => scene.post('/v1/images/generations', { model: 'dall-e-3', prompt: 'a cat' }))
    expectCharge(bill, 20_000)
  })

  test("charges a picture model's thoughts at the price of text", async () => {
    await scene.channel(
      () =>
        Response.json({
          candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] } }],
          usageMetadata: {
            promptTokenCount: 10,
            candidatesTokenCount: 1120,
            thoughtsTokenCount: 200,
            totalTokenCount: 1330,
          },
        }),
      { type: 24, models: 'gemini-3-pro-image' },
    )
    const body = { model: 'gemini-3-pro-image', prompt: 'a cat' }
    const bill = await scene.bill(() => scene.post('/v1/images/generations', body))
    expectCharge(bill, 10 * 1 + 200 * 6 + 1120 * 60)
  })
})

const input = 'a patch of many words, each of which the model has written '.repeat(20)

test.each([
  [
    'chat/completions',
    { messages: [{ role: 'user', content: 'hi' }] },
    { choices: [{ delta: { tool_calls: [{ index: 0, id: 'c', type: 'custom', custom: { name: 'f', input } }] } }] },
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n',
  ],
  [
    'responses',
    { input: 'hi' },
    { type: 'response.custom_tool_call_input.delta', output_index: 0, item_id: 'c', delta: input },
    'data: {"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}\n\n',
  ],
])(
  'what a tool is called with in plain text is counted where nobody reports it (%s)',
  async (door, body, call, end) => {
    const item = { type: 'custom_tool_call', id: 'c', call_id: 'c', name: 'f', input: '' }
    const begin = { id: 'c', type: 'response.output_item.added', output_index: 0, item }
    const frames = [begin, call].map((frame) => `data: ${JSON.stringify(frame)}\n\n`)
    await scene.channel(eventStream(...frames, end))
    const bill = await scene.bill(async () =>
      (await scene.post(`/v1/${door}`, { model: 'gpt-4o', stream: true, ...body })).text(),
    )
    expect(bill.rows[0]?.completion_tokens).toBeGreaterThan(200)
  },
)
