import type { Socket } from 'bun'

export interface RawUpstream {
  readonly url: string
  stop(): void
}

/** A server below HTTP: calls `serve` with a connection as soon as a request arrives on it. */
export function startRawUpstream(serve: (socket: Socket<undefined>, text: string) => void): RawUpstream {
  const listener = Bun.listen<undefined>({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (socket, bytes) => serve(socket, bytes.toString()) },
  })
  return { url: `http://127.0.0.1:${listener.port}`, stop: () => listener.stop(true) }
}

const headOf = (type: string) => `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`
const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

/** Sends headers and the beginning of a body, and then nothing for ever. */
export const startStuckUpstream = (type: string, start: string): RawUpstream =>
  startRawUpstream((socket) => void socket.write(headOf(type) + (start === '' ? '' : chunkOf(start))))

/** Sends headers and the beginning of a body, and then breaks the connection off. */
export const startBreakingUpstream = (type: string, start: string): RawUpstream =>
  startRawUpstream((socket) => {
    socket.write(headOf(type) + (start === '' ? '' : chunkOf(start)))
    setTimeout(() => socket.terminate(), 20)
  })
