import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'

const bodies = {
  'a short text': () => 'short',
  'a text just below the limit': () => 'a'.repeat(15 * 1024 - 1),
  'a long text': () => 'a'.repeat(100_000),
  'a text of few characters and many bytes': () => '站'.repeat(6000),
  'bytes that are no text': () => new Uint8Array(300_000).fill(0xff),
}

/** In a process of its own, so that what is sent first is also read first. Only answers that took a while come apart. */
const script = `
  import { inOnePiece } from ${JSON.stringify(join(import.meta.dirname, 'one-piece.ts'))}
  const bodies = [${Object.values(bodies).join(',')}]
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', async fetch(request) {
    await Bun.sleep(1)
    return new Response(inOnePiece(bodies[Number(new URL(request.url).pathname.slice(1))]()))
  } })
  console.log(server.port)`

const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
let port = 0
beforeAll(async () => {
  const { value } = await child.stdout.getReader().read()
  port = Number(Buffer.from(value ?? []).toString())
})
afterAll(() => child.kill())

/** What the first read from the socket brings. */
const firstRead = (path: string) =>
  new Promise<string>((resolve) => {
    Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: (socket) => void socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
        data(socket, bytes) {
          socket.end()
          resolve(bytes.toString('latin1'))
        },
      },
    })
  })

describe.each(Object.entries(bodies).map(([name, body], at) => [name, body, at] as const))('%s', (_, body, at) => {
  test('arrives unchanged and declares its length', async () => {
    const expected = Buffer.from(body())
    const answer = await fetch(`http://127.0.0.1:${port}/${at}`)
    expect(answer.headers.get('content-length')).toBe(String(expected.length))
    expect(expected.equals(await answer.bytes())).toBe(true)
  })

  test('leaves together with its head', async () => {
    const [head = '', start = ''] = (await firstRead(`/${at}`)).split('\r\n\r\n')
    expect(head).toStartWith('HTTP/1.1 200 OK\r\n')
    expect(start.length).toBeGreaterThan(0)
  })
})
