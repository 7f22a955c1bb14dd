import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

const megabyte = 1024 * 1024
let scene: RelayScene
const sockets: Socket[] = []

beforeAll(async () => {
  scene = await startRelayScene()
  await scene.channel(chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 }))
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await scene.stop()
})

/** Sends what it is given and nothing more, and returns the status that comes back. */
function begin(head: string, body = ''): { socket: Socket; status: Promise<number> } {
  const { hostname, port } = new URL(scene.app.url)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  const status = new Promise<number>((resolve, reject) => {
    socket.on('data', (bytes) => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString())?.[1])))
    socket.on('error', reject)
  })
  socket.write(`${head}\r\nHost: ${hostname}:${port}\r\n`)
  if (body !== '') socket.write(body)
  return { socket, status }
}

const announcing = (bytes: number) => `Content-Length: ${bytes}\r\n\r\n{`

describe('a large body', () => {
  test('for the relay without a key is refused before it comes', async () => {
    expect(await begin('POST /v1/chat/completions HTTP/1.1', announcing(50 * megabyte)).status).toBe(401)
  })

  test('with a wrong key, too', async () => {
    const body = `Authorization: Bearer sk-wrong\r\n${announcing(50 * megabyte)}`
    expect(await begin('POST /v1/audio/transcriptions HTTP/1.1', body).status).toBe(401)
  })

  test('for the console without a login is refused before it comes', async () => {
    expect(await begin('PUT /api/option/ HTTP/1.1', announcing(megabyte)).status).toBe(401)
  })

  test('for a login is refused when it says how large it is, and when it does not', async () => {
    expect(await begin('POST /api/user/login HTTP/1.1', announcing(3 * megabyte)).status).toBe(413)
    const chunk = `${megabyte.toString(16)}\r\n${'a'.repeat(megabyte)}\r\n`
    const { socket, status } = begin('POST /api/user/login HTTP/1.1', 'Transfer-Encoding: chunked\r\n\r\n')
    for (let at = 0; at < 3; at += 1) socket.write(chunk)
    expect(await status).toBe(413)
  })
})

test('many requests whose bodies never end keep no other request waiting', async () => {
  for (let at = 0; at < 300; at += 1) {
    begin('GET / HTTP/1.1', 'X-Slow: ').status.catch(() => {})
    begin('POST /api/user/login HTTP/1.1', announcing(100)).status.catch(() => {})
  }
  expect((await scene.chat()).status).toBe(200)
  expect((await scene.user.fetch('/api/user/self')).status).toBe(200)
})

test.each([
  ['a deep body', '['.repeat(100_000)],
  ['a body that is no object', '[]'],
  ['a body with a poisoned prototype', '{"__proto__":{"role":100},"constructor":{"prototype":{"role":100}}}'],
  ['a null character', JSON.stringify({ username: 'a\0b', password: 'x' })],
])('%s is refused and breaks nothing', async (_, body) => {
  const login = await scene.app.client().fetch('/api/user/login', { method: 'POST', body })
  expect(login.status).toBeLessThan(500)
  expect(((await login.json()) as { success: boolean }).success).toBe(false)
  const headers = { authorization: `Bearer ${scene.key}` }
  const relayed = await fetch(`${scene.app.url}/v1/chat/completions`, { method: 'POST', body, headers })
  expect(relayed.status).toBe(400)
  expect(({} as { role?: number }).role).toBeUndefined()
})
