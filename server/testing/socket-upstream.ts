import type { ServerWebSocket } from 'bun'

export interface SeenSocket {
  readonly url: URL
  readonly headers: Headers
  readonly frames: (string | Buffer)[]
  /** How its client closed it; null while it is open. */
  closed: { code: number; reason: string } | null
}

export type VendorVoice = (
  socket: ServerWebSocket<SeenSocket>,
  frame: string | Buffer | null,
  count: number,
) => void | Promise<void>

type Refusing = (request: Request) => Response | null | Promise<Response | null>

export interface SocketUpstream {
  readonly url: string
  readonly seen: SeenSocket[]
  /** Every open socket, to say something unasked. */
  readonly open: Set<ServerWebSocket<SeenSocket>>
  /** Refuses what comes next with this answer; null lets it in. */
  refuse(answer: Refusing | null): void
  stop(): Promise<void>
}

/** A vendor that speaks over sockets: `voice` is asked when one opens (with null) and with every frame. */
export function startSocketUpstream(voice: VendorVoice): SocketUpstream {
  const seen: SeenSocket[] = []
  const open = new Set<ServerWebSocket<SeenSocket>>()
  let refusing: Refusing | null = null
  const server = Bun.serve<SeenSocket>({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request, running) {
      const refused = await refusing?.(request)
      if (refused) return refused
      const data: SeenSocket = {
        url: new URL(request.url),
        headers: new Headers([...request.headers]),
        frames: [],
        closed: null,
      }
      if (running.upgrade(request, { data })) return undefined
      return new Response('a socket is expected', { status: 426 })
    },
    websocket: {
      maxPayloadLength: 64 * 1024 * 1024,
      open(socket) {
        seen.push(socket.data)
        open.add(socket)
        void voice(socket, null, 0)
      },
      message(socket, frame) {
        socket.data.frames.push(frame)
        void voice(socket, frame, socket.data.frames.length)
      },
      close(socket, code, reason) {
        socket.data.closed = { code, reason }
        open.delete(socket)
      },
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    seen,
    open,
    refuse(answer) {
      refusing = answer
    },
    stop: () => server.stop(true),
  }
}
