import { createAnswerReader } from './answer-reader.ts'
import type { HttpResponse } from './http-response.ts'
import type { Flow } from './incoming-answer.ts'
import type { Address } from './request-bytes.ts'

/** The connection ended before the answer did. */
class ConnectionLost extends Error {}

export const givenUp = () => new DOMException('the request was given up', 'AbortError')

/** A request under way. Exactly one of the two functions is called, once. */
export interface Exchange {
  readonly address: Address
  readonly bytes: string | Buffer
  readonly answered: (answer: HttpResponse) => void
  readonly failed: (error: Error) => void
  /** Null while a connection is being opened. */
  carrier: Connection | null
  isGivenUp: boolean
}

export interface Connection {
  /** Until when it may carry another request, in milliseconds since 1970. */
  freeUntil: number
  /** Sends a request; the next only when this one is done. */
  carry(exchange: Exchange): void
  /** Aborts an exchange; does nothing when it is over. */
  abandon(exchange: Exchange): void
  /** Only while it is free. */
  close(): void
}

/** The part of a socket that is needed here. */
export interface Wire extends Flow {
  /** Returns how many bytes it took; the rest is written when it has drained. */
  write(bytes: string | Buffer): number
  end(): void
  terminate(): void
}

/** What the runtime reports of the socket. */
export interface SocketEvents {
  received(bytes: Buffer): void
  drained(): void
  ended(): void
}

export interface Keeper {
  /** The connection may carry another request for this many milliseconds; null: for the default time. */
  free(connection: Connection, keptMs: number | null): void
  gone(connection: Connection): void
  /** The connection had ended before a byte was written: the upstream cannot have seen the request. */
  unseen(exchange: Exchange): void
}

export function createConnection(socket: Wire, keeper: Keeper): Connection & SocketEvents {
  let exchange: Exchange | null = null
  const reader = createAnswerReader(socket)
  let unsent: Buffer | null = null
  let isSeen = false
  let isFirst = true

  const send = (bytes: string | Buffer) => {
    const written = Math.max(0, socket.write(bytes))
    if (written > 0) isSeen = true
    const isSent = written >= Buffer.byteLength(bytes)
    unsent = isSent ? null : (typeof bytes === 'string' ? Buffer.from(bytes) : bytes).subarray(written)
  }

  const fail = (error: Error) => {
    const failed = exchange
    exchange = null
    if (failed && !reader.fail(error)) failed.failed(error)
  }

  const connection: Connection & SocketEvents = {
    freeUntil: 0,
    carry(next) {
      exchange = next
      isSeen = false
      reader.begin(next.answered)
      send(next.bytes)
    },
    abandon(given) {
      if (given !== exchange) return
      fail(givenUp())
      socket.terminate()
    },
    close: () => socket.end(),
    received(bytes) {
      // After bytes nobody asked for, answers can no longer be matched to requests.
      if (!exchange) return void socket.terminate()
      let isOver: boolean
      try {
        isOver = reader.push(bytes)
      } catch (error) {
        fail(error as Error)
        return socket.terminate()
      }
      if (!isOver) return
      const keptMs = unsent === null ? reader.keptMs() : 0
      exchange = null
      isFirst = false
      if (keptMs === null || keptMs > 0) keeper.free(connection, keptMs)
      else socket.end()
    },
    drained() {
      if (unsent) send(unsent)
    },
    ended() {
      keeper.gone(connection)
      if (!exchange || reader.close()) return
      if (isSeen || isFirst) return fail(new ConnectionLost('the connection to the upstream was lost'))
      const stranded = exchange
      exchange = null
      keeper.unseen(stranded)
    },
  }
  return connection
}
