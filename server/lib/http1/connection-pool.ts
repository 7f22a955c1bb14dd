import { connect } from './connect.ts'
import type { Connection, Exchange } from './connection.ts'
import type { Address } from './request-bytes.ts'

/** Idle connections, by their destination. */
export interface ConnectionPool {
  /** The one used last, so that the others can expire. */
  take(origin: string): Connection | undefined
  /** Adds a new one; it returns here whenever it is idle. */
  open(address: Address): Promise<Connection>
  /** Closes idle connections now, and others as they become idle. */
  close(): void
}

const freeMax = 1024
const freeForMs = 60_000

/** `unseen` sends a request again that went out on a connection already closed by the upstream. */
export function createConnectionPool(connectMs: number, unseen: (exchange: Exchange) => void): ConnectionPool {
  const free = new Map<string, Connection[]>()
  let isClosed = false
  const remove = (origin: string, connection: Connection) => {
    const left = free.get(origin)?.filter((other) => other !== connection) ?? []
    if (left.length > 0) free.set(origin, left)
    else free.delete(origin)
  }
  const closeAll = (isDue: (connection: Connection) => boolean) => {
    for (const [origin, connections] of free) {
      for (const due of connections.filter(isDue)) {
        remove(origin, due)
        due.close()
      }
    }
  }
  const sweeper = setInterval(() => {
    const now = performance.now()
    closeAll(({ freeUntil }) => freeUntil < now)
  }, freeForMs / 4)
  sweeper.unref()

  return {
    take(origin) {
      const now = performance.now()
      for (let kept = free.get(origin)?.pop(); kept; kept = free.get(origin)?.pop()) {
        if (kept.freeUntil > now) return kept
        kept.close()
      }
      return undefined
    },
    open: (address) =>
      connect(address, connectMs, {
        free(connection, keptMs) {
          connection.freeUntil = performance.now() + Math.min(freeForMs, keptMs ?? freeForMs)
          const others = free.get(address.origin) ?? []
          if (isClosed || others.length >= freeMax) return connection.close()
          if (others.push(connection) === 1) free.set(address.origin, others)
        },
        gone: (connection) => remove(address.origin, connection),
        unseen,
      }),
    close() {
      isClosed = true
      clearInterval(sweeper)
      closeAll(() => true)
    },
  }
}
