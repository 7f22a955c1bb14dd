import type { SocketHandler } from 'bun'
import { type Connection, createConnection, type Keeper, type SocketEvents } from './connection.ts'
import type { Address } from './request-bytes.ts'

const keepAliveMs = 30_000

/** Opens a connection. A certificate that is not trusted, or is for another host, is an error: nothing was sent then. */
export function connect({ hostname, port, isSecure }: Address, keeper: Keeper): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let events: SocketEvents | undefined
    let cause: Error | undefined
    const ready: SocketHandler<undefined>['open'] = (socket) => {
      socket.setNoDelay(true)
      socket.setKeepAlive(true, keepAliveMs)
      const connection = createConnection(socket, keeper)
      events = connection
      resolve(connection)
    }
    const socket: SocketHandler<undefined> = {
      ...(isSecure
        ? {
            handshake(opened, isTrusted, error) {
              if (isTrusted) return ready(opened)
              cause = error ?? undefined
              opened.terminate()
            },
          }
        : { open: ready }),
      data: (_, bytes) => events?.received(bytes),
      drain: () => events?.drained(),
      error: (_, error) => {
        cause = error
      },
      close() {
        events?.ended()
        reject(cause ?? new Error('the connection was closed'))
      },
    }
    Bun.connect({ hostname, port, socket, ...(isSecure ? { tls: { serverName: hostname } } : {}) }).catch(reject)
  })
}
