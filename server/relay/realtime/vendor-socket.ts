import { socketBytesMax } from '#server/http/listen.ts'
import type { SocketFrame } from './frames.ts'

/** The vendor at the other end of a socket. */
export interface VendorSocket {
  /** False when it is too slow to read what it is sent. */
  send(data: SocketFrame): boolean
  close(): void
  /** Messages that have come already are delivered at once. */
  listen(handler: VendorHandler): void
}

interface VendorHandler {
  message(data: SocketFrame): void
  closed(code: number, reason: string): void
}

const createDelivery = () => {
  const waiting: ((handler: VendorHandler) => void)[] = []
  let handler: VendorHandler | null = null
  return {
    deliver(event: (handler: VendorHandler) => void) {
      if (handler) event(handler)
      else waiting.push(event)
    },
    listen(given: VendorHandler) {
      handler = given
      for (const event of waiting.splice(0)) event(given)
    },
  }
}

/** Resolves with an open socket, or with null when there was none within the time. */
export function openVendorSocket(
  url: string,
  headers: Readonly<Record<string, string>>,
  withinMs: number,
): Promise<VendorSocket | null> {
  const socket = new WebSocket(url, { headers: { ...headers } } as unknown as string[])
  socket.binaryType = 'nodebuffer' as BinaryType
  const { deliver, listen } = createDelivery()
  const { promise, resolve } = Promise.withResolvers<VendorSocket | null>()
  const late = setTimeout(() => socket.close(), withinMs)
  socket.addEventListener('message', ({ data }) => deliver((handler) => handler.message(data as SocketFrame)))
  socket.addEventListener('close', ({ code, reason }) => {
    clearTimeout(late)
    resolve(null)
    deliver((handler) => handler.closed(code, reason))
  })
  socket.addEventListener('error', () => resolve(null))
  socket.addEventListener('open', () => {
    clearTimeout(late)
    resolve({
      send(data) {
        socket.send(data)
        return socket.bufferedAmount <= socketBytesMax
      },
      close: () => socket.close(),
      listen,
    })
  })
  return promise
}
