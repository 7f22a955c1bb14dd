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
