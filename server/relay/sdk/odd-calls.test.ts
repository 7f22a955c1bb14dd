import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { objectOf, parseObject } from '#server/lib/json.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { sdkClients } from '#server/testing/sdk-clients.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

interface Piece {
  index?: number
  id?: string
  type?: string
  function?: { name?: string; arguments?: string }
}

/** A stream of chat that brings these words and pieces of calls, chunk by chunk. */
const calling = (...chunks: (string | Piece[])[]) => {
  const deltas = [
    ...chunks.map((said) => {
      const delta = typeof said === 'string' ? { content: said } : { tool_calls: said }
      return { choices: [{ index: 0, delta }] }
    }),
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } },
  ]
  const text = deltas.map((delta) => `data: ${JSON.stringify({ id: 'c', model: 'gpt-4o', ...delta })}\n\n`).join('')
  return scene.channel(
    () => new Response(`${text}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } }),
    { type: 38 },
  )
}

const messages = [{ role: 'user' as const, content: 'hi' }]

/** The calls that each client reads out of its stream: name and arguments. */
async function readCalls(): Promise<Record<string, unknown>> {
  const { openai, anthropic, google } = sdkClients(scene.app.url, scene.key)
  const whole = await anthropic.messages.stream({ model: 'gpt-4o', max_tokens: 100, messages }).finalMessage()
  const gemini = await google.models.generateContentStream({ model: 'gpt-4o', contents: 'hi' })
  const parts = (await Array.fromAsync(gemini)).flatMap(({ functionCalls }) => functionCalls ?? [])
  const response = await openai.responses.stream({ model: 'gpt-4o', input: 'hi' }).finalResponse()
  return {
    anthropic: whole.content.flatMap((block) => (block.type === 'tool_use' ? [[block.name, block.input]] : [])),
    gemini: parts.map(({ name, args }) => [name, args]),
    responses: response.output.flatMap((item) =>
      item.type === 'function_call' ? [[item.name, parseObject(item.arguments)]] : [],
    ),
  }
}

const everywhere = (...calls: [string, object][]) => ({ anthropic: calls, gemini: calls, responses: calls })

describe('a vendor that streams calls in odd pieces', () => {
  test('may name a tool after its call has begun', async () => {
    await calling(
      [{ index: 0, id: 'a', type: 'function', function: { arguments: '' } }],
      [{ index: 0, function: { arguments: '{"x"' } }],
      [{ index: 0, function: { name: 'f' } }],
      [{ index: 0, function: { arguments: ':1}' } }],
    )
    const bill = await scene.bill(async () => expect(await readCalls()).toEqual(everywhere(['f', { x: 1 }])))
    expect(bill).toMatchObject({ user: -90, holds: 0, requests: 3 })
  })

  test('may give whole calls no ids and all the same number', async () => {
    const whole = (x: number) => [{ index: 0, id: '', function: { name: 'f', arguments: JSON.stringify({ x }) } }]
    await calling(whole(1), whole(2))
    expect(await readCalls()).toEqual(everywhere(['f', { x: 1 }], ['f', { x: 2 }]))
  })

  test('may say the name of a tool with every piece of its arguments', async () => {
    const piece = (text: string) => [{ index: 0, function: { name: 'f', arguments: text } }]
    await calling(piece('{"x"'), piece(':{}'), piece('}'))
    expect(await readCalls()).toEqual(everywhere(['f', { x: {} }]))
  })
})

/** A call that is spoken into before it is whole. */
const begunAndSpoken = () =>
  calling(
    [{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }],
    'so ',
    [{ index: 0, function: { arguments: '{"x"' } }],
    'be it',
    [{ index: 0, function: { arguments: ':1}' } }],
    '.',
  )

test('a vendor may go on speaking in the midst of a call', async () => {
  await begunAndSpoken()
  expect(await readCalls()).toEqual(everywhere(['f', { x: 1 }]))
})

/** Blocks as an agent reads them that runs a tool as soon as its block has stopped. */
async function blocksAsTheyStop(): Promise<unknown[]> {
  const asked = { model: 'gpt-4o', max_tokens: 100, stream: true, messages }
  const text = await (await scene.post('/v1/messages', asked)).text()
  const open = new Map<unknown, { name: unknown; text: string }>()
  const stopped: unknown[] = []
  for (const [, data = ''] of text.matchAll(/^data: (.*)$/gm)) {
    const { type, index, content_block, delta } = parseObject(data)
    if (type === 'content_block_start') {
      expect(open.size).toBe(0)
      open.set(index, { name: objectOf(content_block)?.name, text: '' })
    }
    const block = open.get(index)
    if (type === 'content_block_delta') {
      if (!block) throw new Error('a piece of a block that is not open')
      block.text += String(objectOf(delta)?.partial_json ?? objectOf(delta)?.text)
    }
    if (type === 'content_block_stop') stopped.push([block?.name, block?.text])
    if (type === 'content_block_stop') open.delete(index)
  }
  expect(open.size).toBe(0)
  return stopped
}

describe('calls whose arguments come interleaved reach Anthropic’s clients one after the other', () => {
  const begun = (index: number, name: string, text = '') => ({ index, id: name, function: { name, arguments: text } })
  const more = (index: number, text: string) => ({ index, function: { arguments: text } })

  test('with all their arguments', async () => {
    await calling(
      [begun(0, 'f')],
      [begun(1, 'g')],
      [more(0, '{"x":'), more(1, '{"y"')],
      [more(1, ':2}')],
      [begun(2, 'h', '{"z":3}')],
      [more(0, '1}')],
    )
    expect(await blocksAsTheyStop()).toEqual([
      ['f', '{"x":1}'],
      ['g', '{"y":2}'],
      ['h', '{"z":3}'],
    ])
  })

  test('and what is said in the midst of one comes after it', async () => {
    await begunAndSpoken()
    expect(await blocksAsTheyStop()).toEqual([
      ['f', '{"x":1}'],
      [undefined, 'so be it.'],
    ])
  })

  test('also where one takes none, or is cut', async () => {
    await calling([begun(0, 'f'), begun(1, 'g')], [more(1, '{"y":2}')], [begun(2, 'h', '{"z')])
    expect(await blocksAsTheyStop()).toEqual([
      ['f', ''],
      ['g', '{"y":2}'],
      ['h', '{"z'],
    ])
  })
})
