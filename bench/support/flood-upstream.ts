/**
 * An upstream in a process of its own, by path: /flood/<MB>/… sends that much of a stream as fast as it is taken,
 * /drip/<seconds>/… a small frame twice a second for so long.
 */
const encoder = new TextEncoder()
const frame = (content: string, finish: string | null = null) =>
  encoder.encode(
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`,
  )
const large = frame('word '.repeat(3200))
const small = frame('word ')
const end = encoder.encode('data: [DONE]\n\n')
const everyMs = 500

async function* flood(megabytes: number) {
  for (let sent = 0; sent < megabytes * 1024 * 1024; sent += large.length) yield large
  yield frame('', 'stop')
  yield end
}

async function* drip(seconds: number) {
  for (let left = seconds * 1000; left > 0; left -= everyMs) {
    yield small
    await Bun.sleep(everyMs)
  }
  yield frame('', 'stop')
  yield end
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch(request) {
    const [, kind, amount] = new URL(request.url).pathname.split('/')
    const frames = kind === 'flood' ? flood(Number(amount)) : drip(Number(amount))
    return new Response(frames as unknown as ReadableStream, { headers: { 'content-type': 'text/event-stream' } })
  },
})
console.log(`port ${server.port}`)

export {}
