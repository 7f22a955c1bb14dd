import type { Socket } from 'bun'
import { createHttpClient, type HttpClient } from '#server/lib/http1/http-client.ts'
import { textIn } from '#server/lib/http1/http-response.ts'

/** What an upstream does with a request; `turn` counts those on one connection, from 1. */
export type Serve = (socket: Socket<Seen>, turn: number, text: string) => void

export interface Seen {
  readonly number: number
  turns: number
  text: string
}

export interface WireUpstream {
  readonly url: string
  readonly connections: Seen[]
  /** Connections that are open now. */
  open: number
  stop(): void
}

/** A server below HTTP. Requests that end in "." are answered when they are complete. */
export function startWireUpstream(serve: Serve): WireUpstream {
  const connections: Seen[] = []
  const listener = Bun.listen<Seen>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = { number: connections.length, turns: 0, text: '' }
        connections.push(socket.data)
        upstream.open += 1
      },
      data(socket, bytes) {
        socket.data.text += bytes.toString('latin1')
        if (!socket.data.text.endsWith('.')) return
        const { text } = socket.data
        socket.data.text = ''
        socket.data.turns += 1
        serve(socket, socket.data.turns, text)
      },
      close() {
        upstream.open -= 1
      },
    },
  })
  const upstream: WireUpstream = {
    url: `http://127.0.0.1:${listener.port}`,
    connections,
    open: 0,
    stop: () => listener.stop(true),
  }
  return upstream
}

/** A whole answer. */
export const saying = (body: string, more = '') =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`

export interface WireScene {
  readonly client: HttpClient
  upstreamThat(serve: Serve): WireUpstream
  /** The text an upstream answers. */
  ask(upstream: WireUpstream, body?: string, headers?: Record<string, string>): Promise<string>
  stop(): void
}

/** A client and the upstreams it talks to. */
export function startWireScene(): WireScene {
  const client = createHttpClient()
  const started: WireUpstream[] = []
  return {
    client,
    upstreamThat(serve) {
      const upstream = startWireUpstream(serve)
      started.push(upstream)
      return upstream
    },
    async ask({ url }, body = '.', headers = {}) {
      const answer = await client.post(`${url}/v1/x?y=1`, headers, body).answer
      return textIn(await answer.bytes())
    },
    stop() {
      client.close()
      for (const upstream of started) upstream.stop()
    },
  }
}
