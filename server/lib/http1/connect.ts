import type { Socket, SocketHandler } from 'bun'
import { type Connection, createConnection, type Keeper, type SocketEvents } from './connection.ts'
import type { Address } from './request-bytes.ts'

const keepAliveMs = 30_000

/** Nothing was sent: another upstream may be tried at once. */
class ConnectTimeout extends Error {}

/** Opens a connection. A certificate that is not trusted, or is for another host, is an error: nothing was sent then. */
export function connect({ hostname, port, isSecure }: Address, withinMs: number, keeper: Keeper): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let events: SocketEvents | undefined
    let cause: Error | undefined
    let opening: Socket<undefined> | undefined
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      cause = new ConnectTimeout('the upstream could not be connected to in time')
      reject(cause)
      opening?.terminate()
    }, withinMs)
    const ready: SocketHandler<undefined>['open'] = (socket) => {
      clearTimeout(timer)
      if (isLate) return void socket.terminate()
      socket.setNoDelay(true)
      socket.setKeepAlive(true, keepAliveMs)
      const connection = createConnection(socket, keeper)
      events = connection
      resolve(connection)
    }
    const socket: SocketHandler<undefined> = {
      ...(isSecure
        ? {
            open(opened) {
              opening = opened
              if (isLate) opened.terminate()
            },
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
        clearTimeout(timer)
        events?.ended()
        reject(cause ?? new Error('the connection was closed'))
      },
    }
    Bun.connect({ hostname, port, socket, ...(isSecure ? { tls: { serverName: hostname } } : {}) }).catch((error) => {
      clearTimeout(timer)
      reject(error)
    })
  })
}
