import { socketBytesMax } from '#server/http/listen.ts'
import type { SocketFrame } from './frames.ts'

/** The vendor at the other end of a socket. */
export interface VendorSocket {
  /** False when it is too slow to read what it is sent. */
  send(data: SocketFrame): boolean
  close(): void
  /** What has come already is said at once. */
  listen(ear: VendorEar): void
}

interface VendorEar {
  message(data: SocketFrame): void
  closed(code: number, reason: string): void
}

const waitForEar = () => {
  const waiting: ((ear: VendorEar) => void)[] = []
  let ear: VendorEar | null = null
  return {
    say(what: (ear: VendorEar) => void) {
      if (ear) what(ear)
      else waiting.push(what)
    },
    listen(given: VendorEar) {
      ear = given
      for (const what of waiting.splice(0)) what(given)
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
  const { say, listen } = waitForEar()
  const { promise, resolve } = Promise.withResolvers<VendorSocket | null>()
  const late = setTimeout(() => socket.close(), withinMs)
  socket.addEventListener('message', ({ data }) => say((ear) => ear.message(data as SocketFrame)))
  socket.addEventListener('close', ({ code, reason }) => {
    clearTimeout(late)
    resolve(null)
    say((ear) => ear.closed(code, reason))
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
