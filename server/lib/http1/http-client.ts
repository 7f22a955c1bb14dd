import { remember } from '#server/lib/remember.ts'
import { type Connection, type Exchange, givenUp } from './connection.ts'
import { createConnectionPool } from './connection-pool.ts'
import type { HttpResponse } from './http-response.ts'
import { addressOf, requestBytes } from './request-bytes.ts'

/** A request under way. */
export interface Sending {
  readonly answer: Promise<HttpResponse>
  /** Ends the connection at once, also in the middle of the answer. */
  abort(): void
}

export interface HttpClient {
  /** Posts a body. Redirects are answers like any other. */
  post(url: string, headers: Readonly<Record<string, string>>, body: string | Uint8Array): Sending
  /** Closes every connection nobody uses, now or later. */
  close(): void
}

const rememberedMax = 1000

/** How long connecting may take, handshake included, unless said. */
export const connectWithinMs = 10_000

/** Sends requests over connections that are kept open: HTTP/1.1, one request at a time on each. */
export function createHttpClient(connectMs = connectWithinMs): HttpClient {
  const pool = createConnectionPool(connectMs)
  const locate = remember(rememberedMax, addressOf)

  return {
    post(url, headers, body) {
      const address = locate(url)
      const bytes = requestBytes(address, headers, body)
      let carrier: Connection | null = null
      let isAborted = false
      const { promise: answer, resolve: answered, reject: failed } = Promise.withResolvers<HttpResponse>()
      const carry = (connection: Connection) => {
        if (isAborted) return connection.close()
        carrier = connection
        connection.carry(exchange)
      }
      const carryAnew = () => {
        carrier = null
        pool.open(address).then(carry, failed)
      }
      const exchange: Exchange = { bytes, answered, failed, unseen: carryAnew }
      const kept = pool.take(address.origin)
      if (kept) carry(kept)
      else carryAnew()
      return {
        answer,
        abort() {
          isAborted = true
          if (carrier) carrier.abandon(exchange)
          else failed(givenUp())
        },
      }
    },
    close: pool.close,
  }
}
