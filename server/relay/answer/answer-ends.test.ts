import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { expectCharge } from '#server/testing/expect-charge.ts'
import {
  chatAnswer,
  deltaFrame,
  doneFrame,
  eventStream,
  finishFrame,
  usageFrame,
} from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const usage = { prompt_tokens: 10, completion_tokens: 5 }
const textFrame = (index: number, text: string, finish: string | null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'text_completion', model: 'm', choices: [{ index, text, finish_reason: finish }] })}\n\n`

describe('a stream', () => {
  test('of several prompts has ended when all of them have', async () => {
    await scene.channel(
      eventStream(
        textFrame(0, 'a', 'stop'),
        50,
        textFrame(0, '', 'stop'),
        textFrame(1, 'b', 'stop'),
        usageFrame(usage),
        doneFrame,
      ),
    )
    const bill = await scene.bill(async () => {
      const body = { model: 'gpt-4o', prompt: ['x', 'y'], stream: true, max_tokens: 5 }
      const text = await (await scene.post('/v1/completions', body)).text()
      expect(text).toContain('"text":"b"')
    })
    expectCharge(bill, 30)
  })

  const endedTwice = eventStream(
    deltaFrame('one '),
    finishFrame(),
    deltaFrame('two'),
    finishFrame('length'),
    usageFrame(usage),
    doneFrame,
  )

  test('goes on behind a reason to finish: nothing of the text that follows is lost', async () => {
    await scene.channel(endedTwice)
    const bill = await scene.bill(async () => {
      const text = await (await scene.chat({ stream: true })).text()
      expect(text.indexOf('two')).toBeGreaterThan(text.indexOf('one'))
      expect(text).toEndWith(doneFrame)
    })
    expectCharge(bill, 30)
  })

  test('translated goes on behind a reason to finish, and has one end', async () => {
    await scene.channel(endedTwice)
    const bill = await scene.bill(async () => {
      const body = { model: 'gpt-4o', max_tokens: 50, stream: true, messages: [{ role: 'user', content: 'hi' }] }
      const text = await (await scene.post('/v1/messages', body)).text()
      expect(text).toContain('two')
      expect(text.match(/event: message_delta/g)).toHaveLength(1)
      expect(text).toContain('"stop_reason":"max_tokens"')
    })
    expectCharge(bill, 30)
  })

  test('that begins with a comment has not begun: an error behind it leads to the next channel', async () => {
    await scene.option('RetryTimes', 1)
    const first = await scene.channel(
      eventStream(': PROCESSING\n\n', 20, 'data: {"error":{"message":"overloaded","code":529}}\n\n'),
      { priority: 9 },
    )
    const second = await scene.channel(eventStream(deltaFrame('hello'), finishFrame(), usageFrame(usage), doneFrame))
    const bill = await scene.bill(async () => {
      const text = await (await scene.chat({ stream: true })).text()
      expect(text).toContain('hello')
      expect(text).not.toContain('overloaded')
    })
    expectCharge(bill, 30, { tried: `${first.id},${second.id}` })
  })

  test('that ends without anything in it has not begun: the next channel is asked', async () => {
    await scene.option('RetryTimes', 1)
    const first = await scene.channel(eventStream(': PROCESSING\n\n', doneFrame), { priority: 9 })
    const second = await scene.channel(eventStream(deltaFrame('hello'), finishFrame(), usageFrame(usage), doneFrame))
    const bill = await scene.bill(async () => {
      expect(await (await scene.chat({ stream: true })).text()).toContain('hello')
    })
    expectCharge(bill, 30, { tried: `${first.id},${second.id}` })
  })
})

describe('an answer in the same dialect names the model that was asked for', () => {
  test('in one piece', async () => {
    await scene.channel(chatAnswer('says "model":"upstream-model"', usage))
    const answer = (await (await scene.chat()).json()) as { model: string; choices: { message: { content: string } }[] }
    expect(answer.model).toBe('gpt-4o')
    expect(answer.choices[0]?.message.content).toBe('says "model":"upstream-model"')
  })

  test.each([
    ['embeddings', { data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 1, total_tokens: 1 } }],
    ['embeddings', { data: [{ index: 0, embedding: [0.5] }] }],
    ['moderations', { results: [{ flagged: false }] }],
  ])('in %s', async (operation, answer) => {
    await scene.channel(() => Response.json({ model: 'theirs', ...answer }), {
      model_mapping: '{"gpt-4o":"theirs"}',
    })
    const shown = await (await scene.post(`/v1/${operation}`, { model: 'gpt-4o', input: 'hi' })).json()
    expect(shown).toMatchObject({ model: 'gpt-4o', ...answer })
  })

  test('in every frame of a stream', async () => {
    await scene.channel(eventStream(deltaFrame('hello'), finishFrame(), usageFrame(usage), doneFrame))
    const text = await (await scene.chat({ stream: true })).text()
    expect(text).toContain('"model":"gpt-4o"')
    expect(text).not.toContain('upstream-model')
  })

  test('in a stream whose first frame names none', async () => {
    const choices = [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]
    const nameless = `data: ${JSON.stringify({ id: 'c', choices })}\n\n`
    await scene.channel(eventStream(nameless, deltaFrame('hello'), finishFrame(), usageFrame(usage), doneFrame))
    const text = await (await scene.chat({ stream: true })).text()
    expect(text).toContain('"model":"gpt-4o"')
    expect(text).not.toContain('upstream-model')
  })
})

describe('what comes beside a report of usage is not dropped with it', () => {
  const beside = (choice: object) =>
    `data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, ...choice }], usage: { ...usage, total_tokens: 15 } })}\n\n`

  test.each([
    ['annotations', { delta: { annotations: [{ type: 'url_citation' }] }, finish_reason: null }],
    ['logprobs', { delta: {}, logprobs: { content: [] }, finish_reason: null }],
    ['audio', { delta: { audio: { data: 'AAAA' } }, finish_reason: null }],
  ])('%s', async (name, choice) => {
    await scene.channel(eventStream(deltaFrame('hello'), beside(choice), finishFrame(), doneFrame))
    const text = await (await scene.chat({ stream: true })).text()
    expect(text).toContain(name)
  })
})

test('a call in the old form of frames survives translation', async () => {
  const frame = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  await scene.channel(
    eventStream(
      frame({ function_call: { name: 'weather', arguments: '' } }),
      frame({ function_call: { arguments: '{"city":1}' } }),
      frame({}, 'function_call'),
      usageFrame(usage),
      doneFrame,
    ),
  )
  const body = { model: 'gpt-4o', max_tokens: 50, stream: true, messages: [{ role: 'user', content: 'hi' }] }
  const text = await (await scene.post('/v1/messages', body)).text()
  expect(text).toContain('"name":"weather"')
  expect(text).toContain('{\\"city\\":1}')
  expect(text).toContain('"stop_reason":"tool_use"')
})

test('a picture in what a function of Gemini answered survives translation', async () => {
  const channel = await scene.channel(chatAnswer('hello', usage))
  const parts = [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }]
  await scene.post('/v1beta/models/gpt-4o:generateContent', {
    contents: [
      { role: 'user', parts: [{ text: 'look' }] },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'see', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'see', response: { output: 'this' }, parts } }] },
    ],
  })
  expect(channel.seen[0]?.raw).toContain('data:image/png;base64,AAAA')
})

describe("one client's bad state", () => {
  const theirs = () =>
    Response.json({
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hello' }] }],
      usage: { input_tokens: 10, output_tokens: 5 },
    })

  test.each([
    [
      'says so',
      () => Response.json({ error: { message: "Previous response with id 'resp_1' not found." } }, { status: 404 }),
    ],
    ['says nothing', () => new Response('', { status: 404 })],
  ])('does not change how the channel is used for others, also where the server %s', async (_, gone) => {
    const channel = await scene.channel([theirs, gone, theirs], { type: 8 })
    const ask = (more: object) => scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi', ...more })
    expect((await ask({})).status).toBe(200)
    expect((await ask({ previous_response_id: 'resp_1' })).status).toBe(404)
    expect((await ask({})).status).toBe(200)
    expect(channel.seen.map(({ path }) => path)).toEqual(['/v1/responses', '/v1/responses', '/v1/responses'])
  })
})
