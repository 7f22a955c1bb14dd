import { type AnswerReader, createAnswerReader } from './answer-reader.ts'
import type { Flow } from './body-queue.ts'
import type { HttpResponse } from './http-response.ts'

/** The connection ended before the answer did. */
export class ConnectionLost extends Error {}

export const givenUp = () => new DOMException('the request was given up', 'AbortError')

/** A request under way. Exactly one of the three is called, once. */
export interface Exchange {
  readonly bytes: string | Buffer
  answered(answer: HttpResponse): void
  failed(error: Error): void
  /** The upstream had closed a connection from before: it never saw the request. */
  unseen(): void
}

export interface Connection {
  /** When it was last free, in milliseconds since 1970. */
  freeSince: number
  /** Sends a request; the next only when this one is done. */
  carry(exchange: Exchange): void
  /** Gives up an exchange; nothing happens when it is over. */
  abandon(exchange: Exchange): void
  /** Only while it is free. */
  close(): void
}

/** The part of a socket that is needed here. */
export interface Wire extends Flow {
  /** Answers how many bytes it took; the rest is to be tried again when it is drained. */
  write(bytes: string | Buffer): number
  end(): void
  terminate(): void
}

/** What the runtime tells of a socket. */
export interface SocketEvents {
  received(bytes: Buffer): void
  drained(): void
  ended(): void
}

export interface Keeper {
  /** The connection may carry another request. */
  free(connection: Connection): void
  gone(connection: Connection): void
}

export function createConnection(socket: Wire, keeper: Keeper): Connection & SocketEvents {
  let exchange: Exchange | null = null
  let reader: AnswerReader | null = null
  let unsent: Buffer | null = null
  let isFirst = true

  const send = (bytes: string | Buffer) => {
    const written = Math.max(0, socket.write(bytes))
    const isSent = written >= Buffer.byteLength(bytes)
    unsent = isSent ? null : (typeof bytes === 'string' ? Buffer.from(bytes) : bytes).subarray(written)
  }

  const fail = (error: Error) => {
    const failed = exchange
    const isAnswered = reader?.fail(error) ?? false
    exchange = null
    reader = null
    if (!isAnswered) failed?.failed(error)
  }

  const connection: Connection & SocketEvents = {
    freeSince: 0,
    carry(next) {
      exchange = next
      reader = createAnswerReader(socket, next.answered)
      send(next.bytes)
    },
    abandon(given) {
      if (given !== exchange) return
      fail(givenUp())
      socket.terminate()
    },
    close: () => socket.end(),
    received(bytes) {
      // An upstream that speaks unasked cannot be trusted to be in step.
      if (!reader) return void socket.terminate()
      let isOver: boolean
      try {
        isOver = reader.push(bytes)
      } catch (error) {
        fail(error as Error)
        return socket.terminate()
      }
      if (!isOver) return
      const isReusable = reader.keepsAlive() && unsent === null
      exchange = null
      reader = null
      isFirst = false
      if (isReusable) keeper.free(connection)
      else socket.end()
    },
    drained() {
      if (unsent) send(unsent)
    },
    ended() {
      keeper.gone(connection)
      if (!reader || reader.close()) return
      if (isFirst || reader.hasBegun()) return fail(new ConnectionLost('the connection to the upstream was lost'))
      const stranded = exchange
      exchange = null
      reader = null
      stranded?.unseen()
    },
  }
  return connection
}
