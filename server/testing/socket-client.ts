import { eventually } from './eventually.ts'

/** A client of a socket that remembers the frames it received. */
export interface SocketClient {
  readonly frames: (string | Buffer)[]
  readonly protocol: string
  closed(): { code: number; reason: string } | null
  send(data: string | Uint8Array<ArrayBuffer>): void
  say(event: object): void
  leave(): void
  /** The first frame that holds these words. */
  frame(words: string): Promise<string>
  end(): Promise<{ code: number; reason: string }>
}

/** Opens a socket; fails when it does not open. */
export async function openSocket(
  url: string,
  { headers = {}, protocols = [] }: { headers?: Record<string, string>; protocols?: string[] } = {},
): Promise<SocketClient> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers, protocols } as unknown as string[])
  socket.binaryType = 'nodebuffer' as BinaryType
  const frames: (string | Buffer)[] = []
  let closed: { code: number; reason: string } | null = null
  const opening = Promise.withResolvers<void>()
  socket.addEventListener('open', () => opening.resolve())
  socket.addEventListener('message', ({ data }) => frames.push(data as string | Buffer))
  socket.addEventListener('close', ({ code, reason }) => {
    closed = { code, reason }
    opening.reject(new Error(`closed with ${code} ${reason}`))
  })
  await opening.promise
  return {
    frames,
    protocol: socket.protocol,
    closed: () => closed,
    send: (data) => socket.send(data),
    say: (event) => socket.send(JSON.stringify(event)),
    leave: () => socket.close(),
    frame: (words) =>
      eventually(
        () => frames.map(String).find((text) => text.includes(words)) ?? '',
        (found) => found !== '',
      ),
    async end() {
      const known = await eventually(
        () => closed,
        (found) => found !== null,
      )
      if (!known) throw new Error('it is open')
      return known
    },
  }
}

/** What a handshake is answered with, for those that are refused. */
export const handshake = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    },
  })
