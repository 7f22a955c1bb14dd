import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { chatAnswer, chatStream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
const sockets: Socket[] = []
const megabyte = 1024 * 1024
const usage = { prompt_tokens: 5, completion_tokens: 10 }

beforeAll(async () => {
  scene = await startRelayScene({ silences: { head: 8, body: 8, wholeBody: 14, kept: 8 } })
  await scene.option('ModelRatio', '{"gpt-4o": 1, "streamed": 1, "late": 1}')
  await scene.channel(chatAnswer('hello', usage))
  await scene.channel(chatStream(['hel', 'lo'], usage), { models: 'streamed' })
  const late = chatAnswer('late', usage)
  await scene.channel((seen) => Bun.sleep(11_000).then(() => late(seen)), { models: 'late' })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await scene.stop()
})

/** A connection that sends these bytes; what it got is known when the other side has closed it. */
function open(text: string): { socket: Socket; answer: Promise<string>; closed: Promise<string> } {
  const { hostname, port } = new URL(scene.app.url)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  let received = ''
  const answer = Promise.withResolvers<string>()
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received)))
  socket.on('data', (bytes) => {
    received += bytes.toString()
    answer.resolve(received)
  })
  socket.on('error', () => {})
  socket.write(text)
  return { socket, answer: answer.promise, closed }
}

const head = (path: string, more: string, key = scene.key) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`
const chat = (more = '', model = 'gpt-4o') => `{"model":"${model}","messages":[{"role":"user","content":"hi"}]${more}}`
const request = (body: string) => head('/v1/chat/completions', `Content-Length: ${body.length}`) + body

describe('a silent connection is ended', () => {
  test.concurrent('without a word, in the middle of a head, and while the head drips', async () => {
    const dripping = open('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    const drops = setInterval(() => dripping.socket.write('a'), 500)
    const all = [open(''), open('GET / HTTP/1.1\r\nHos'), dripping].map(({ closed }) => closed)
    expect((await Promise.all(all)).join('')).not.toContain('200 OK')
    clearInterval(drops)
  }, 30_000)

  test.concurrent('in the middle of a body, of the relay and of the console, framed by length and in chunks', async () => {
    const bodies = [
      `${head('/v1/chat/completions', 'Content-Length: 100')}{`,
      `${head('/v1/chat/completions', `Content-Length: ${megabyte}`)}{`,
      `${head('/v1/chat/completions', 'Transfer-Encoding: chunked')}1\r\n{\r\n`,
      `${head('/v1/messages/count_tokens', 'Content-Length: 100')}{`,
      'POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{',
    ]
    const answers = await Promise.all(bodies.map((text) => open(text).closed))
    for (const answer of answers) expect(answer).not.toContain('200 OK')
  }, 30_000)

  test.concurrent('whose body drips without an end', async () => {
    const dripping = ['/v1/chat/completions', '/v1/files', '/api/user/login'].map((path) =>
      open(head(path, 'Content-Length: 9000000')),
    )
    dripping.push(open('POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n{'))
    const drops = setInterval(() => {
      for (const { socket } of dripping) socket.write('a')
    }, 500)
    await Promise.all(dripping.map(({ closed }) => closed))
    clearInterval(drops)
  }, 40_000)

  test.concurrent('after an answer, whole, streamed or refused', async () => {
    const answers = await Promise.all([
      open(request(chat(',"stream":true', 'streamed'))).closed,
      open(request('{}')).closed,
      open('GET /api/status HTTP/1.1\r\nHost: x\r\n\r\n').closed,
      open(`GET /v1/models HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${scene.key}\r\n\r\n`).closed,
    ])
    expect(answers[0]).toContain('[DONE]')
    for (const answer of answers) expect(answer).toStartWith('HTTP/1.1 ')
  }, 30_000)
})

describe('a slow one is not', () => {
  test.concurrent('whose body keeps coming', async () => {
    const body = chat(`,"user":"${'x'.repeat(100_000)}"`)
    const slow = open(head('/v1/chat/completions', `Content-Length: ${body.length}`))
    for (let at = 0; at < 10; at += 1) {
      slow.socket.write(body.slice((at * body.length) / 10, ((at + 1) * body.length) / 10))
      await Bun.sleep(1200)
    }
    expect(await slow.answer).toStartWith('HTTP/1.1 200')
  }, 30_000)

  test.concurrent('whose answer takes its time', async () => {
    expect(await open(request(chat('', 'late'))).answer).toStartWith('HTTP/1.1 200')
  }, 30_000)
})

const payingDoors = [
  '/v1/chat/completions',
  '/v1/audio/transcriptions',
  '/v1/messages/count_tokens',
  '/v1/responses/input_tokens',
  '/v1beta/models/gpt-4o:countTokens',
  '/v1/conversations',
  '/v1/files',
  '/v1/batches',
  '/v1/messages/batches',
  '/v1beta/models/gpt-4o:batchGenerateContent',
  '/v1beta/cachedContents',
  '/v1/videos',
  '/upload/v1beta/files',
]

describe('who has nothing left', () => {
  const announcing = `Content-Length: ${50 * megabyte}`

  test('is refused before the body comes, for an empty wallet and an empty token', async () => {
    const token = await scene.user.call(api.tokens.create, { name: 'empty', remain_quota: 0 })
    for (const more of [announcing, 'Transfer-Encoding: chunked']) {
      const refused = await open(head('/v1/chat/completions', more, `sk-${token.key}`)).answer
      expect(refused).toStartWith('HTTP/1.1 402')
    }
    await scene.root.call(api.users.update, { id: scene.userId, quota: 0 })
    for (const path of payingDoors) expect(await open(head(path, announcing)).answer).toStartWith('HTTP/1.1 402')
    await scene.root.call(api.users.update, { id: scene.userId, quota: 1_000_000 })
  })

  test('and strangers have no body read for counting', async () => {
    const refused = await open(head('/v1/messages/count_tokens', announcing, 'sk-wrong')).answer
    expect(refused).toStartWith('HTTP/1.1 401')
  })
})

test('64 MB are counted in bytes, also in chunks', async () => {
  const { socket, answer } = open(head('/v1/chat/completions', 'Transfer-Encoding: chunked'))
  const chunk = `${megabyte.toString(16)}\r\n${'a'.repeat(megabyte)}\r\n`
  for (let at = 0; at < 66 && !socket.destroyed; at += 1) socket.write(chunk)
  expect(await answer).toStartWith('HTTP/1.1 413')
  expect(await open(head('/v1/chat/completions', `Content-Length: ${65 * megabyte}`)).answer).toStartWith(
    'HTTP/1.1 413',
  )
})
