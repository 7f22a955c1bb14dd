import { describe, test } from 'bun:test'
import { eventually } from '#server/testing/eventually.ts'
import { deltaFrame } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

describe('a client that stops reading', () => {
  test('counts as one that has left after its time, and the upstream is closed', async () => {
    const impatient = await startRelayScene({ env: { CLIENT_IDLE_TIMEOUT: '1' } })
    try {
      const frame = new TextEncoder().encode(deltaFrame('x'.repeat(100_000)))
      const channel = await impatient.channel(
        () =>
          new Response(
            (async function* () {
              for (;;) yield frame
            })() as unknown as ReadableStream,
            { headers: { 'content-type': 'text/event-stream' } },
          ),
      )
      await impatient.option('ModelRatio', '{"gpt-4o": 0.0001}')
      const socket = await rawReader(impatient)
      await eventually(() => channel.seen[0]?.signal.aborted, Boolean)
      await eventually(impatient.books, ({ rows }) => rows[0]?.outcome === 'cut')
      socket.terminate()
    } finally {
      await impatient.stop()
    }
  })
})

/** Asks for a stream over a socket that takes nothing in. */
async function rawReader({ app, key }: RelayScene) {
  const body = JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hi' }] })
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${body.length}\r\n\r\n`
  return await Bun.connect({
    hostname: '127.0.0.1',
    port: Number(new URL(app.url).port),
    socket: {
      open(socket) {
        socket.write(head + body)
        socket.pause()
      },
      data() {},
    },
  })
}
