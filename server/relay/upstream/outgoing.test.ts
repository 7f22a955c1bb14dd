import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { tag } from '#server/dialects/signature.ts'
import { chatAnswer, chatStream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterEach(() => scene.clear())
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const usage = { prompt_tokens: 10, completion_tokens: 5 }
const answer = chatAnswer('hello', usage)
const anthropicAnswer = () =>
  Response.json({
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'hello' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 10, output_tokens: 5 },
  })

/** What the upstream of a channel of this type is sent. */
async function sent(type: number, path: string, body: object, upstream: Parameters<RelayScene['channel']>[0] = answer) {
  const channel = await scene.channel(upstream, { type })
  const response = await scene.post(path, { model: 'gpt-4o', max_tokens: 100, ...body })
  expect(response.status, await response.text()).toBe(200)
  const [seen] = channel.seen
  if (!seen) throw new Error('nothing was sent')
  return seen
}

const question = { role: 'user', content: 'hi' }

describe('what is sent', () => {
  test('to Mistral has no wish for a report, which it refuses and sends anyway', async () => {
    const { body } = await sent(
      28,
      '/v1/chat/completions',
      { stream: true, messages: [question] },
      chatStream(['hi'], usage),
    )
    expect(body).not.toHaveProperty('stream_options')
    expect((await scene.books()).rows[0]).toMatchObject({ quota: 30, outcome: 'done' })
  })

  test.each([[28], [29]])(
    'to strict vendors of type %i has neither thoughts nor roles they do not know',
    async (type) => {
      const thought = { type: 'thinking', thinking: 'hm', signature: 'abc' }
      const { body } = await sent(type, '/v1/messages', {
        messages: [question, { role: 'assistant', content: [thought, { type: 'text', text: 'yo' }] }, question],
      })
      expect(JSON.stringify(body)).not.toContain('reasoning')
      await scene.clear()
      const input = [{ role: 'developer', content: 'be brief' }, question]
      const { body: other } = await sent(type, '/v1/responses', { input, max_tokens: undefined })
      expect(other.messages).toMatchObject([{ role: 'system', content: 'be brief' }, { role: 'user' }])
    },
  )

  test('to a model that does not reason says nothing about reasoning', async () => {
    const { body } = await sent(1, '/v1/messages', {
      thinking: { type: 'enabled', budget_tokens: 2000 },
      messages: [question],
    })
    expect(body).not.toHaveProperty('reasoning_effort')
  })

  test('names a user by something short that stays the same', async () => {
    const metadata = { user_id: `user_${'a1'.repeat(70)}` }
    const first = await sent(1, '/v1/messages', { metadata, messages: [question] })
    await scene.clear()
    const second = await sent(1, '/v1/messages', { metadata, messages: [question] })
    expect(first.body.user).toMatch(/^\w{64}$/)
    expect(second.body.user).toBe(first.body.user as string)
  })

  test('to Anthropic has its own proofs and nobody else’s', async () => {
    const foreign = { type: 'thinking', thinking: 'b', signature: tag('openai-chat', 'x') }
    const content = [
      { type: 'thinking', thinking: 'a', signature: 'EqoBown' },
      foreign,
      { type: 'thinking', thinking: 'c', signature: '' },
      { type: 'text', text: 'yo' },
    ]
    const messages = [question, { role: 'assistant', content }, { role: 'assistant', content: [foreign] }, question]
    const { body } = await sent(14, '/v1/messages', { messages }, anthropicAnswer)
    expect(body.messages).toEqual([question, { role: 'assistant', content: [content[0], content[3]] }, question])
  })

  test('to Anthropic is the client’s own text when every proof is its own', async () => {
    const text = `{ "model":"gpt-4o","max_tokens": 1e2, "messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"a","signature":"EqoB"}]},{"role":"user","content":"hi"}]}`
    const channel = await scene.channel(anthropicAnswer, { type: 14 })
    const response = await fetch(`${scene.app.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': scene.key },
      body: text,
    })
    expect(response.status).toBe(200)
    await response.text()
    expect(channel.seen[0]?.raw).toBe(text)
  })

  test('to OpenAI’s responses has no reasoning another provider tagged', async () => {
    const own = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' }
    const input = [{ ...own, encrypted_content: tag('gemini', 'x') }, own, question]
    const reply = () =>
      Response.json({
        id: 'r',
        object: 'response',
        status: 'completed',
        output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hello' }] }],
        usage: { input_tokens: 10, output_tokens: 5 },
      })
    const { body } = await sent(1, '/v1/responses', { input, max_tokens: undefined }, reply)
    expect(body.input).toEqual([own, question])
  })
})

describe('tools that may not be called are not offered where the format cannot forbid them', () => {
  const parameters = { type: 'object', properties: {} }
  const names = ['one', 'two', 'three']
  const allowed = ['one', 'three']
  const ofChat = (name: string) => ({ type: 'function', function: { name, parameters } })
  const ofResponses = (name: string) => ({ type: 'function', name, parameters })
  const offered = (body: Record<string, unknown>) =>
    (body.tools as { name?: string; function?: { name: string } }[]).map((tool) => tool.name ?? tool.function?.name)

  test.each(['required', 'auto'])("of OpenAI's allowed_tools in mode %s", async (mode) => {
    const chat = { type: 'allowed_tools', allowed_tools: { mode, tools: allowed.map(ofChat) } }
    const asked = { messages: [question], tools: names.map(ofChat), tool_choice: chat }
    const { body } = await sent(14, '/v1/chat/completions', asked, anthropicAnswer)
    expect(offered(body)).toEqual(allowed)
    expect(body.tool_choice).toEqual({ type: mode === 'required' ? 'any' : 'auto' })
    await scene.clear()
    const responses = { type: 'allowed_tools', mode, tools: allowed.map((name) => ({ type: 'function', name })) }
    const wish = { input: 'hi', tools: names.map(ofResponses), tool_choice: responses, max_tokens: undefined }
    expect(offered((await sent(14, '/v1/responses', wish, anthropicAnswer)).body)).toEqual(allowed)
  })

  test("of Google's allowedFunctionNames", async () => {
    const asked = {
      contents: [{ parts: [{ text: 'hi' }] }],
      tools: [{ functionDeclarations: names.map((name) => ({ name })) }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: allowed } },
    }
    const { body } = await sent(1, '/v1beta/models/gpt-4o:generateContent', asked)
    expect(offered(body)).toEqual(allowed)
    expect(body.tool_choice).toBe('required')
  })

  test('but go to a vendor of the same dialect as they came', async () => {
    const tool_choice = { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: allowed.map(ofChat) } }
    const asked = { messages: [question], tools: names.map(ofChat), tool_choice }
    const { body } = await sent(1, '/v1/chat/completions', asked)
    expect(offered(body)).toEqual(names)
    expect(body.tool_choice).toEqual(tool_choice)
  })
})

test('a server that knows no responses is asked in chat, and from then on at once', async () => {
  const channel = await scene.channel(
    (seen) => (seen.path === '/v1/responses' ? new Response('404 page not found', { status: 404 }) : answer(seen)),
    { type: 8 },
  )
  for (let at = 0; at < 2; at += 1) {
    const response = await scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi' })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status: 'completed', usage: { input_tokens: 10, output_tokens: 5 } })
  }
  const chat = '/v1/chat/completions'
  expect(channel.seen.map(({ path }) => path)).toEqual(['/v1/responses', chat, chat])
})

describe('a request whose price could be read in two ways', () => {
  test.each([
    ['MODEL', { MODEL: 'dear' }],
    ['Max_Tokens', { Max_Tokens: 100_000 }],
    ['max_toKens', { 'max_to\u212aens': 5 }],
    ['ſtream', { ſtream: true }],
    ['an n that is text', { n: '100' }],
    ['an n too large', { n: 129 }],
    ['a stream that is a number', { stream: 1 }],
    ['a stream that is text', { stream: 'true' }],
  ])('is refused: %s', async (_, more) => {
    const channel = await scene.channel(answer)
    const bill = await scene.bill(async () => expect((await scene.chat(more)).status).toBe(400))
    expect(bill).toMatchObject({ user: 0, holds: 0, rows: [] })
    expect(channel.seen).toHaveLength(0)
  })

  test('is held by a long text where bytes may stand', async () => {
    const channel = await scene.channel(answer)
    const content = [{ type: 'x', data: 'long words '.repeat(400_000) }]
    expect((await scene.chat({ messages: [{ role: 'user', content }] })).status).toBe(402)
    expect(channel.seen).toHaveLength(0)
  })

  test('is bounded in both of its limits', async () => {
    const channel = await scene.channel(answer)
    await scene.chat({ max_tokens: 900_000, max_completion_tokens: 17_000 })
    expect(channel.seen[0]?.body).toMatchObject({ max_tokens: 16_384, max_completion_tokens: 16_384 })
  })
})

test('a header no provider would take is left out and counts against no channel', async () => {
  const channel = await scene.channel(anthropicAnswer, { type: 14 })
  const { port } = new URL(scene.app.url)
  const body = JSON.stringify({ model: 'gpt-4o', max_tokens: 5, messages: [question] })
  const head = `POST /v1/messages HTTP/1.1\r\nHost: x\r\nx-api-key: ${scene.key}\r\nanthropic-beta: a\x7fb\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`
  const received = await new Promise<string>((resolve) => {
    let text = ''
    Bun.connect({
      hostname: '127.0.0.1',
      port: Number(port),
      socket: {
        open: (socket) => void socket.write(head + body),
        data(_, bytes) {
          text += bytes
        },
        close: () => resolve(text),
      },
    })
  })
  expect(received).toStartWith('HTTP/1.1 200')
  expect(channel.seen[0]?.headers.has('anthropic-beta')).toBe(false)
})
