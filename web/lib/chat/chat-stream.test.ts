import { afterAll, afterEach, describe, expect, spyOn, test } from 'bun:test'
import { type ChatProgress, streamChat } from './chat-stream.ts'

const fetching = spyOn(globalThis, 'fetch')
afterEach(() => void fetching.mockReset())
afterAll(() => fetching.mockRestore())

const answer = (body: BodyInit, status = 200) =>
  fetching.mockImplementation(
    Object.assign(async () => new Response(body, { status, headers: { 'x-request-id': 'r-1' } }), {
      preconnect: () => undefined,
    }),
  )

const ask = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }], stream: true }
const all = async () => {
  const seen: ChatProgress[] = []
  for await (const progress of streamChat('sk-x', ask, new AbortController().signal)) seen.push(progress)
  return seen
}

const frame = (data: object) => `data: ${JSON.stringify(data)}\n\n`
const delta = (content: string) => frame({ choices: [{ delta: { content } }] })

describe('a chat in the playground', () => {
  test('grows by its deltas and ends with its usage', async () => {
    const usage = frame({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } })
    answer(`${delta('Hel')}${delta('lo')}${usage}data: [DONE]\n\n`)
    const seen = await all()
    expect(seen.map(({ text }) => text)).toEqual(['Hel', 'Hello', 'Hello', 'Hello'])
    expect(seen.at(-1)).toMatchObject({ input: 5, output: 2, requestId: 'r-1' })
    expect(seen.at(-1)?.duration).toBeGreaterThanOrEqual(seen.at(-1)?.firstByte ?? 0)
  })

  test('a frame cut between two pieces is read whole', async () => {
    const text = delta('Grüße')
    const bytes = new TextEncoder().encode(text)
    const cut = text.indexOf('ü') + 1
    answer(
      new ReadableStream({
        start(controller) {
          controller.enqueue(bytes.slice(0, cut))
          controller.enqueue(bytes.slice(cut))
          controller.close()
        },
      }),
    )
    expect((await all()).at(-1)?.text).toBe('Grüße')
  })

  test('a refusal is thrown with the words of the relay', async () => {
    answer(JSON.stringify({ error: { message: 'no price' } }), 403)
    expect(await all().catch((error: Error) => error.message)).toBe('no price')
  })

  test('a fault inside the stream is thrown', async () => {
    answer(`${delta('a')}${frame({ error: { message: 'the upstream broke off' } })}`)
    expect(await all().catch((error: Error) => error.message)).toBe('the upstream broke off')
  })

  test('the key travels in its header alone, and no cookie with it', async () => {
    answer('data: [DONE]\n\n')
    await all()
    const [url, init] = fetching.mock.calls[0] ?? []
    expect(url).toBe('/v1/chat/completions')
    expect(init).toMatchObject({ credentials: 'omit', headers: { authorization: 'Bearer sk-x' } })
    expect(String(init?.body)).not.toContain('sk-x')
  })
})
