import type { Socket } from 'bun'

/** Where a SOCKS5 proxy listens and who asks. */
export interface SocksProxy {
  readonly hostname: string
  readonly port: number
  readonly username: string
  readonly password: string
}

export interface Tunnel {
  write(bytes: Uint8Array): void
  end(): void
}

export interface TunnelEvents {
  /** The proxy reached the place; bytes go through from now on. */
  opened(): void
  received(bytes: Uint8Array): void
  ended(): void
}

const handshakeMs = 15_000

function connectRequest(hostname: string, port: number): Buffer {
  const name = Buffer.from(hostname, 'utf8')
  return Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, Buffer.from([port >> 8, port & 255])])
}

function credentials({ username, password }: SocksProxy): Buffer {
  const [user, word] = [Buffer.from(username), Buffer.from(password)]
  return Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([word.length]), word])
}

/** Length of the answer to the connect request; null while it is not known. */
function replyLength(bytes: Buffer): number | null {
  const kind = bytes[3]
  if (kind === 1) return 10
  if (kind === 4) return 22
  const length = bytes[4]
  return kind === 3 && length !== undefined ? 7 + length : null
}

/** A connection to a place as a SOCKS5 proxy sees it: names are resolved there. */
export function openTunnel(proxy: SocksProxy, hostname: string, port: number, events: TunnelEvents): Tunnel {
  let socket: Socket<undefined> | null = null
  let stage: 'greeting' | 'login' | 'asking' | 'open' | 'over' = 'greeting'
  let received = Buffer.alloc(0)
  let waiting: Uint8Array[] = []
  const over = () => {
    if (stage === 'over') return
    stage = 'over'
    clearTimeout(timeout)
    socket?.end()
    events.ended()
  }
  const timeout = setTimeout(over, handshakeMs)
  /** What the socket does not take at once is kept until it drains. */
  const push = (bytes: Uint8Array) => {
    if (waiting.length > 0 || !socket) return void waiting.push(bytes)
    const sent = Math.max(0, socket.write(bytes))
    if (sent < bytes.byteLength) waiting.push(bytes.subarray(sent))
  }
  const drain = () => {
    const rest = waiting
    waiting = []
    for (const bytes of rest) push(bytes)
  }
  const ask = () => {
    stage = 'asking'
    push(connectRequest(hostname, port))
  }
  const take = (length: number): Buffer => {
    const taken = received.subarray(0, length)
    received = received.subarray(length)
    return taken
  }
  const handshake = () => {
    if (stage === 'greeting' && received.length >= 2) {
      const [version, method] = take(2)
      if (version !== 5 || (method !== 0 && method !== 2)) return over()
      if (method === 0) ask()
      else {
        stage = 'login'
        push(credentials(proxy))
      }
    }
    if (stage === 'login' && received.length >= 2) {
      if (take(2)[1] !== 0) return over()
      ask()
    }
    const length = stage === 'asking' && received.length >= 5 ? replyLength(received) : null
    if (length === null || received.length < length) return
    if (take(length)[1] !== 0) return over()
    stage = 'open'
    clearTimeout(timeout)
    events.opened()
    if (received.length > 0) events.received(take(received.length))
  }
  Bun.connect({
    hostname: proxy.hostname,
    port: proxy.port,
    socket: {
      open(opened) {
        socket = opened
        opened.setNoDelay(true)
        push(Buffer.from(proxy.username === '' ? [5, 1, 0] : [5, 2, 0, 2]))
      },
      data(_, bytes) {
        if (stage === 'open') return events.received(bytes)
        received = Buffer.concat([received, bytes])
        handshake()
      },
      drain,
      error: over,
      close: over,
    },
  }).catch(over)
  return { write: push, end: over }
}
