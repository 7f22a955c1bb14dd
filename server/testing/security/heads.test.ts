import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/** What comes back to these very bytes. */
function say(text: string): Promise<string> {
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes.toString()
      socket.end()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
    socket.write(text)
  })
}

const twice = [
  ['a.example', 'b.example'],
  ['a.example', 'a.example'],
  ['127.0.0.1', '127.0.0.1'],
  ['', 'a.example'],
  ['a.example', ''],
]

test.each(twice)('two headers of the host are refused: %j and %j', async (one, other) => {
  for (const path of ['/', '/api/status', '/v1/models', '/v1/chat/completions', '/healthz', '/metrics'])
    for (const name of ['Host', 'host', 'HOST']) {
      const answer = await say(`GET ${path} HTTP/1.1\r\nHost: ${one}\r\nAccept: */*\r\n${name}: ${other}\r\n\r\n`)
      expect(answer).toStartWith('HTTP/1.1 400')
    }
})

test('one header of the host is enough, with and without a port', async () => {
  const { host, hostname } = new URL(app.url)
  for (const name of [host, hostname, 'relay.example'])
    expect(await say(`GET /api/status HTTP/1.1\r\nHost: ${name}\r\n\r\n`)).toStartWith('HTTP/1.1 200')
})

test.each(['a b[', '[', 'x:99999999', '[::1', 'http://', '%', '<script>'])(
  'the host %j is refused, without a word about the inside',
  async (host) => {
    for (const path of ['/', '/api/status', '/v1/models', '/metrics']) {
      const answer = await say(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      expect(answer).toStartWith('HTTP/1.1 400')
      expect(answer).not.toMatch(/\.ts|at .*:\d+|new URL|bun/i)
    }
  },
)
