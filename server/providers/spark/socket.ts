import { faultOfKind } from '#server/dialects/fault.ts'
import { parseJson } from '#server/lib/json.ts'
import { boundedJson } from '#server/lib/network/bounded-json.ts'
import { type Tools, UpstreamFault } from '#server/providers/provider.ts'
import { isLastSparkFrame, spark } from './dialect.ts'

/** A refused socket has no reason; a plain request with the same signature is answered with it. */
async function refusal(url: string, tools: Tools): Promise<UpstreamFault> {
  const asked = { signal: tools.signal, redirect: 'manual' } as const
  const response = await tools.fetch(url.replace(/^ws/, 'http'), asked).catch(() => undefined)
  if (response?.status === 401 || response?.status === 403)
    return new UpstreamFault(spark.decodeError(response.status, await boundedJson(response)))
  return new UpstreamFault(faultOfKind('overloaded', 'Spark did not accept the connection.'))
}

function opened(socket: WebSocket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.addEventListener('open', () => resolve(true), { once: true })
    socket.addEventListener('close', () => resolve(false), { once: true })
    socket.addEventListener('error', () => resolve(false), { once: true })
  })
}

/** Messages of a socket in order, until it closes or nobody reads on. */
function messagesOf(socket: WebSocket): ReadableStream<string> {
  const listening = new AbortController()
  const { signal } = listening
  return new ReadableStream<string>({
    start(controller) {
      const end = () => {
        listening.abort()
        controller.close()
      }
      socket.addEventListener('message', (event) => controller.enqueue(String(event.data)), { signal })
      socket.addEventListener('close', end, { signal })
    },
    cancel: () => listening.abort(),
  })
}

/** One question over a socket of its own: closing it stops the answer. */
export async function* askSpark(url: string, body: string, tools: Tools): AsyncGenerator<string> {
  const socket = new WebSocket(url)
  const leave = () => socket.close()
  tools.signal.addEventListener('abort', leave, { once: true })
  try {
    const messages = messagesOf(socket)
    if (!(await opened(socket))) throw await refusal(url, tools)
    socket.send(body)
    for await (const message of messages) {
      yield message
      if (isLastSparkFrame(parseJson(message))) return
    }
  } finally {
    tools.signal.removeEventListener('abort', leave)
    socket.close()
  }
}
