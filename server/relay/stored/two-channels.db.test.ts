import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { type Behaviour, chatAnswer, eventStream, type SeenRequest } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

/** With two channels for one model, what one of them keeps is asked of it and not of the other: a hundred of a hundred. */
let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 1_000_000_000, tokenQuota: 1_000_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const times = 100
const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }

const isIdOf = (entry: unknown, known: ReadonlySet<string>) => {
  const { type, id } = entry as { type?: string; id?: string }
  return type !== 'item_reference' || known.has(String(id))
}

/** OpenAI with a memory of its own: refuses ids it did not give, calls a tool first and then answers. */
function openaiWithMemory(name: string): Behaviour {
  const given = new Set<string>()
  return ({ body, signal }: SeenRequest) => {
    const input = Array.isArray(body.input) ? body.input : []
    const previous = body.previous_response_id
    if ((previous && !given.has(String(previous))) || !input.every((entry) => isIdOf(entry, given)))
      return Response.json({ error: { message: 'not found', code: 'previous_response_not_found' } }, { status: 400 })
    const id = (prefix: string) => {
      const made = `${prefix}_${name}_${given.size}`
      given.add(made)
      return made
    }
    const hasResult = input.some((entry) => entry.type === 'function_call_output')
    const text = { type: 'output_text', text: 'hello', annotations: [] }
    const output = hasResult
      ? [{ type: 'message', id: id('msg'), role: 'assistant', status: 'completed', content: [text] }]
      : [
          { type: 'reasoning', id: id('rs'), summary: [] },
          { type: 'function_call', id: id('fc'), call_id: 'call_1', name: 'weather', arguments: '{}' },
        ]
    const response = { id: id('resp'), object: 'response', status: 'completed', model: 'm', output, usage }
    if (!body.stream) return Response.json(response)
    const event = (type: string) => `event: ${type}\ndata: ${JSON.stringify({ type, response })}\n\n`
    return eventStream(event('response.created'), event('response.completed'))({ signal } as SeenRequest)
  }
}

const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } }]
const hi = { role: 'user', content: [{ type: 'input_text', text: 'hi' }] }

async function respond(body: object): Promise<{ status: number; text: string; id(prefix: string): string }> {
  const answer = await scene.post('/v1/responses', { model: 'gpt-4o', max_output_tokens: 20, ...body })
  const text = await answer.text()
  return { status: answer.status, text, id: (prefix) => new RegExp(`"(${prefix}_[^"]+)"`).exec(text)?.[1] ?? '' }
}

async function twoOpenais() {
  const one = await scene.channel(openaiWithMemory('one'))
  const two = await scene.channel(openaiWithMemory('two'))
  return () => {
    expect(one.seen.length).toBeGreaterThan(times / 4)
    expect(two.seen.length).toBeGreaterThan(times / 4)
  }
}

test('loops of the AI SDK, which refers to thoughts by their ids, stay with the channel that has them', async () => {
  const expectBoth = await twoOpenais()
  for (let turn = 0; turn < times; turn += 1) {
    const stream = turn % 2 === 0
    const first = await respond({ input: [hi], tools, tool_choice: 'auto', stream })
    // As its versions 6 and 7 send it.
    const input = [
      hi,
      { type: 'item_reference', id: first.id('rs') },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'sunny' },
    ]
    const second = await respond({ input, tools, tool_choice: 'auto', stream })
    expect([turn, second.status, second.id('msg').slice(0, 7)]).toEqual([
      turn,
      200,
      `msg_${first.id('rs').slice(3, 6)}`,
    ])
  }
  expectBoth()
})

test('a previous_response_id leads to the channel that has the response', async () => {
  const expectBoth = await twoOpenais()
  for (let turn = 0; turn < times; turn += 1) {
    const first = await respond({ input: 'hi', stream: turn % 2 === 0 })
    const second = await respond({ input: 'go on', previous_response_id: first.id('resp') })
    expect([turn, second.status]).toEqual([turn, 200])
  }
  expectBoth()
})

test('a conversation of a hundred turns that no vendor keeps, now through one channel and now through the other', async () => {
  const hello = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })
  const plain: Behaviour = (request) =>
    request.path === '/v1/chat/completions' ? hello(request) : new Response('', { status: 404 })
  const claude: Behaviour = () =>
    Response.json({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'hello' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 5 },
    })
  const channels = [await scene.channel(plain, { type: 8 }), await scene.channel(claude, { type: 14 })]
  let previous: string | undefined
  for (let turn = 0; turn < times; turn += 1) {
    const asked = channels.map(({ seen }) => seen.length)
    const answer = await respond({ input: `turn ${turn}`, previous_response_id: previous })
    expect([turn, answer.status]).toEqual([turn, 200])
    previous = answer.id('resp')
    const seen = channels.find((channel, at) => channel.seen.length > (asked[at] ?? 0))?.seen.at(-1)
    expect(seen?.body.messages).toHaveLength(2 * turn + 1)
    expect(seen?.raw).toContain(`turn ${turn}`)
  }
  for (const { seen } of channels) expect(seen.length).toBeGreaterThan(times / 10)
}, 30_000)
