import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { eventStream, type SeenRequest } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { checkTable } from '#shared/testing/table.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const said = 'the model is on fire'
const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** The beginning of an answer, in the words of each vendor. */
const openings: Readonly<Record<string, string>> = {
  openai: `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: 'Hel' } }] })}\n\n`,
  anthropic:
    event('message_start', { type: 'message_start', message: { id: 'm', model: 'm', usage: { input_tokens: 1 } } }) +
    event('content_block_start', { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
    event('content_block_delta', {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'Hel' },
    }),
  gemini: `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text: 'Hel' }] } }] })}\n\n`,
  responses:
    event('response.created', { type: 'response.created', response: { id: 'r', object: 'response' } }) +
    event('response.output_text.delta', { type: 'response.output_text.delta', output_index: 0, delta: 'Hel' }),
}
const errors: readonly (readonly [string, string])[] = [
  ['event: error with message', event('error', { message: said })],
  ['event: error with detail', event('error', { detail: said })],
  ['event: error with a list of details', event('error', { detail: [{ loc: ['body'], msg: said }] })],
  ['event: error with a list of errors', event('error', { errors: [{ message: said }] })],
  ['a frame with error', `data: ${JSON.stringify({ error: { message: said, type: 'server_error' } })}\n\n`],
  ['a frame with error as text', `data: ${JSON.stringify({ error: said })}\n\n`],
]
const vendors: readonly (readonly [string, number])[] = [
  ['openai', 1],
  ['anthropic', 14],
  ['gemini', 24],
  ['openai', 8],
]

const hello = [{ role: 'user', content: 'hi' }]
const clients: Readonly<Record<string, readonly [string, object]>> = {
  chat: ['/v1/chat/completions', { messages: hello }],
  responses: ['/v1/responses', { input: 'hi', store: false }],
  messages: ['/v1/messages', { messages: hello, max_tokens: 20 }],
  gemini: ['/v1beta/models/gpt-4o:streamGenerateContent?alt=sse', { contents: [{ parts: [{ text: 'hi' }] }] }],
}

/** Events that report the failure; OpenAI's responses report it twice, once for each kind of client. */
const reportsOf: Readonly<Record<string, number>> = { responses: 2 }

for (const [vendor, type] of vendors) {
  for (const [client, [path, body]] of Object.entries(clients)) {
    test(`${client} through ${vendor} (type ${type}): the text of every kind of error arrives, once`, async () => {
      const arrives = async (frame: string) => {
        const read = Promise.withResolvers<void>()
        await scene.channel(
          (request: SeenRequest) => {
            if (type === 8 && request.path === '/v1/responses') return new Response('', { status: 404 })
            const opening = request.path === '/v1/responses' ? openings.responses : openings[vendor]
            return eventStream(opening ?? '', read.promise, frame)(request)
          },
          { type },
        )
        const answer = await scene.post(path, { model: 'gpt-4o', stream: true, ...body })
        let text = ''
        for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
          text += piece
          if (text.includes('Hel')) read.resolve()
        }
        expect(text).toContain('Hel')
        const reports = text.split('\n').filter((line) => line.includes(said))
        expect([text, reports.length]).toEqual([text, reportsOf[client] ?? 1])
      }
      await checkTable(errors, (frame) => arrives(frame).finally(scene.clear))
    })
  }
}

test('a response that fails is the one that was begun, and its events are counted on', async () => {
  const read = Promise.withResolvers<void>()
  const numbered = (name: string, sequence_number: number, more: object) =>
    event(name, { type: name, sequence_number, ...more })
  const opening =
    numbered('response.created', 0, { response: { id: 'resp_own', object: 'response', model: 'vendors-name' } }) +
    numbered('response.output_text.delta', 7, { output_index: 0, delta: 'Hel' })
  await scene.channel(eventStream(opening, read.promise, numbered('error', 8, { message: said })))
  const answer = await scene.post('/v1/responses', { model: 'gpt-4o', stream: true, input: 'hi' })
  let text = ''
  for await (const piece of answer.body ?? []) {
    text += new TextDecoder().decode(piece)
    if (text.includes('Hel')) read.resolve()
  }
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual([0, 7, 8, 9])
  expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { id: 'resp_own', model: 'gpt-4o' } })
})

test('an error that names the token Google gave for a service account shows it to nobody', async () => {
  const message = 'the token ya29.a0AfB_byC-1234567890 is of another project'
  await scene.channel(() => Response.json({ error: { message } }, { status: 400 }))
  const answer = await scene.chat()
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('the token [key] is of another project')
})
