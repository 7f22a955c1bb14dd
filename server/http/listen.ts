import type { Server } from 'bun'
import { AppError } from '#shared/errors.ts'
import { failureResponse } from './errors.ts'

/** How long a connection may be silent, in seconds, by what it should be doing. The runtime ends it up to four seconds earlier. */
export interface Silences {
  /** From the first byte of a head to its last. */
  readonly head: number
  /** Between two bytes of a body. */
  readonly body: number
  /** From the first byte of a body on: no byte later than this earns another wait. */
  readonly wholeBody: number
  /** Between an answer and the next request. */
  readonly kept: number
}

const silences: Silences = { head: 60, body: 64, wholeBody: 3600, kept: 124 }

/** The connection of a request. Code that reads or answers reports it here, because each has a timeout of its own. */
export interface ClientConnection {
  /** The address at the other end; a proxy's where there is one. */
  peer(): string
  /** Bytes of the body are expected, or have come. */
  bodyArrives(): void
  /** The answer is being made: from here on the server has timeouts of its own. */
  answering(): void
  /** The answer goes on after its head, until `streamed` is called. */
  streams(): void
  /** The stream has been sent. */
  streamed(): void
  /** Makes it a WebSocket; false when the client asked for none. The response is ignored afterwards. */
  upgrade(handler: SocketHandler, headers: Readonly<Record<string, string>>): boolean
}

/** The client at the other end of a socket. */
export interface ClientSocket {
  /** Buffered for a client that is slow to read; one that falls behind by more than `socketBytesMax` is closed. */
  send(data: string | Uint8Array<ArrayBuffer>): void
  close(code: number, reason: string): void
}

/** Receives the events of a client's socket. */
export interface SocketHandler {
  opened(socket: ClientSocket): void
  message(data: string | Uint8Array<ArrayBuffer>): void
  closed(code: number, reason: string): void
}

export type HttpServer = Server<SocketHandler>

export type Serve = (request: Request, connection: ClientConnection) => Response | Promise<Response>

export interface Listening {
  readonly port: number
  readonly hostname: string
  readonly reusePort?: boolean
  readonly silences?: Silences
}

/** The last resort: the relay has a lower limit, and answers in the client's dialect. */
const bodyBytesMax = 600 * 1024 * 1024

/** No message of a socket is longer, and no more waits for a slow reader. */
export const socketBytesMax = 16 * 1024 * 1024

/** The runtime closes the socket of a longer message without a reason; up to here the reason can be given. */
const refusableBytesMax = 9 * socketBytesMax

const sizeOf = (data: string | Buffer): number => (typeof data === 'string' ? Buffer.byteLength(data) : data.byteLength)

/** A client that has answered no ping for so long is gone. */
const silentSocketSeconds = 120

/** A class, because one is made for every request: methods on the prototype are made once. */
class RequestConnection implements ClientConnection {
  isStreaming = false
  isSocket = false
  private readonly request: Request
  private readonly server: HttpServer
  private readonly silences: Silences
  private bodyBeganAt: number | null = null

  constructor(request: Request, server: HttpServer, silences: Silences) {
    this.request = request
    this.server = server
    this.silences = silences
  }

  peer(): string {
    return this.server.requestIP(this.request)?.address ?? ''
  }

  bodyArrives(): void {
    const now = performance.now()
    this.bodyBeganAt ??= now
    if (now - this.bodyBeganAt < this.silences.wholeBody * 1000) this.server.timeout(this.request, this.silences.body)
  }

  answering(): void {
    this.server.timeout(this.request, 0)
  }

  streams(): void {
    this.isStreaming = true
  }

  streamed(): void {
    this.server.timeout(this.request, this.silences.kept)
  }

  upgrade(handler: SocketHandler, headers: Readonly<Record<string, string>>): boolean {
    this.isSocket = this.server.upgrade(this.request, { data: handler, headers: { ...headers } })
    return this.isSocket
  }
}

export function listen(serve: Serve, { silences: allowed = silences, ...where }: Listening): HttpServer {
  return Bun.serve<SocketHandler>({
    ...where,
    development: false,
    idleTimeout: allowed.head,
    maxRequestBodySize: bodyBytesMax,
    async fetch(request, server) {
      const connection = new RequestConnection(request, server, allowed)
      const answer = await serve(request, connection)
      if (connection.isSocket) return undefined
      if (!connection.isStreaming) connection.streamed()
      return answer
    },
    websocket: {
      maxPayloadLength: refusableBytesMax,
      backpressureLimit: socketBytesMax,
      closeOnBackpressureLimit: true,
      idleTimeout: silentSocketSeconds,
      sendPings: true,
      open: (socket) => socket.data.opened(socket),
      message(socket, data) {
        if (sizeOf(data) > socketBytesMax) socket.close(1009, 'A message may have at most 16 MB.')
        else socket.data.message(data as string | Buffer<ArrayBuffer>)
      },
      close: (socket, code, reason) => socket.data.closed(code, reason),
    },
    error: (cause) => failureResponse(new AppError('server.error', {}, { cause })),
  })
}
