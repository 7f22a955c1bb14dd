/**
 * An upstream in a process of its own: answers chat completions after a delay, whole or as a stream, and counts the tokens it
 * has reported. The delay, size and frames are read from the path: /<delayMs>/<bytes>/v1/chat/completions.
 */
const totals = { requests: 0, streams: 0, completed: 0, promptTokens: 0, completionTokens: 0 }
const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 }
const frames = 64
const frameEveryMs = 20

const padding = new Map<number, string>()
function text(bytes: number): string {
  const known = padding.get(bytes) ?? 'a'.repeat(bytes)
  padding.set(bytes, known)
  return known
}

function whole(bytes: number): Response {
  count()
  return Response.json({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'bench',
    choices: [{ index: 0, message: { role: 'assistant', content: text(bytes) }, finish_reason: 'stop' }],
    usage,
  })
}

function count(): void {
  totals.completed += 1
  totals.promptTokens += usage.prompt_tokens
  totals.completionTokens += usage.completion_tokens
}

const encoder = new TextEncoder()
const frame = (fields: object) =>
  encoder.encode(
    `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'bench', ...fields })}\n\n`,
  )
const delta = frame({ choices: [{ index: 0, delta: { content: 'word ' }, finish_reason: null }], usage: null })
const finish = frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: null })
const report = frame({ choices: [], usage })
const done = encoder.encode('data: [DONE]\n\n')

function stream(): Response {
  totals.streams += 1
  let timer: ReturnType<typeof setInterval>
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let sent = 0
      controller.enqueue(delta)
      timer = setInterval(() => {
        sent += 1
        if (sent < frames) return controller.enqueue(delta)
        clearInterval(timer)
        count()
        for (const last of [finish, report, done]) controller.enqueue(last)
        controller.close()
      }, frameEveryMs)
    },
    cancel: () => clearInterval(timer),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    const path = new URL(request.url).pathname
    if (path === '/totals') return Response.json(totals)
    const [, delayMs, bytes] = path.split('/')
    const body = await request.text()
    totals.requests += 1
    if (body.includes('"stream":true')) return stream()
    if (delayMs !== '0') await Bun.sleep(Number(delayMs))
    return whole(Number(bytes))
  },
})
console.log(`port ${server.port}`)

export {}
