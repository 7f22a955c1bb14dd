import { connect } from './connect.ts'
import type { Connection } from './connection.ts'
import type { Address } from './request-bytes.ts'

/** Connections that are open and free, by where they lead. */
export interface ConnectionPool {
  /** The one used last, so that the others may grow old. */
  take(origin: string): Connection | undefined
  /** A new one; it comes here whenever it is free. */
  open(address: Address): Promise<Connection>
  /** Closes what is free now, and what becomes free from now on. */
  close(): void
}

const freeMax = 1024
const freeForMs = 60_000

export function createConnectionPool(): ConnectionPool {
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
    const before = Date.now() - freeForMs
    closeAll(({ freeSince }) => freeSince < before)
  }, freeForMs / 4)
  sweeper.unref()

  return {
    take: (origin) => free.get(origin)?.pop(),
    open: (address) =>
      connect(address, {
        free(connection) {
          connection.freeSince = Date.now()
          const others = free.get(address.origin) ?? []
          if (isClosed || others.length >= freeMax) return connection.close()
          if (others.push(connection) === 1) free.set(address.origin, others)
        },
        gone: (connection) => remove(address.origin, connection),
      }),
    close() {
      isClosed = true
      clearInterval(sweeper)
      closeAll(() => true)
    },
  }
}
