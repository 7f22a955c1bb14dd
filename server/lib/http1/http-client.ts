import { memoize } from '#server/lib/memoize.ts'
import { type Connection, type Exchange, givenUp } from './connection.ts'
import { createConnectionPool } from './connection-pool.ts'
import type { HttpResponse } from './http-response.ts'
import { addressOf, requestBytes } from './request-bytes.ts'

/** A request under way. */
export interface PostedRequest {
  readonly answer: Promise<HttpResponse>
  /** Ends the connection at once, also in the middle of the answer. */
  abort(): void
}

export interface HttpClient {
  /** Posts a body. Redirects are answers like any other. */
  post(url: string, headers: Readonly<Record<string, string>>, body: string | Uint8Array): PostedRequest
  /** Closes idle connections now, and others as they become idle. */
  close(): void
}

const rememberedMax = 1000

/** How long connecting may take by default, handshake included. */
const connectWithinMs = 10_000

/** Sends requests over connections that are kept open: HTTP/1.1, one request at a time on each. */
export function createHttpClient(connectMs = connectWithinMs): HttpClient {
  const carry = (exchange: Exchange, connection: Connection) => {
    if (exchange.isGivenUp) return connection.close()
    exchange.carrier = connection
    connection.carry(exchange)
  }
  const carryAnew = (exchange: Exchange) => {
    exchange.carrier = null
    pool.open(exchange.address).then((opened) => carry(exchange, opened), exchange.failed)
  }
  const pool = createConnectionPool(connectMs, carryAnew)
  const locate = memoize(rememberedMax, addressOf)

  return {
    post(url, headers, body) {
      const address = locate(url)
      const bytes = requestBytes(address, headers, body)
      const { promise: answer, resolve: answered, reject: failed } = Promise.withResolvers<HttpResponse>()
      const exchange: Exchange = { address, bytes, answered, failed, carrier: null, isGivenUp: false }
      const kept = pool.take(address.origin)
      if (kept) carry(exchange, kept)
      else carryAnew(exchange)
      return { answer, abort: () => giveUp(exchange) }
    },
    close: pool.close,
  }
}

function giveUp(exchange: Exchange): void {
  exchange.isGivenUp = true
  if (exchange.carrier) exchange.carrier.abandon(exchange)
  else exchange.failed(givenUp())
}
