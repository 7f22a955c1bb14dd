import type { Socket } from 'bun'
import { openTunnel, type SocksProxy, type Tunnel } from './socks5.ts'

/** A local HTTP proxy for `fetch`, for this process alone, that connects through a SOCKS5 proxy. */
export interface SocksBridge {
  /** With a password that only this process knows. */
  readonly url: string
}

interface Visitor {
  head: Buffer
  tunnel: Tunnel | null
  /** What the client's socket has not taken yet. */
  unsent: Uint8Array[]
  isOver: boolean
}

const headBytesMax = 64 * 1024
/** The one status that only proxies give. */
const refused = 'HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'

/** What the head of a request to a proxy wants: a tunnel, or a request passed on to the place its address names. */
function proxyRequestOf(head: string, word: string) {
  const [line = '', ...headers] = head.split('\r\n')
  const [method = '', target = '', version = ''] = line.split(' ')
  const kept = headers.filter((header) => header !== '' && !/^(proxy-|connection:)/i.test(header))
  const isKnown = headers.some(
    (header) => header.toLowerCase().startsWith('proxy-authorization:') && header.endsWith(word),
  )
  const address = method === 'CONNECT' ? `https://${target}` : target
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !isKnown) return null
  const port = Number(url.port) || (method === 'CONNECT' ? 443 : 80)
  const place = { hostname: url.hostname.replace(/^\[|\]$/g, ''), port }
  if (method === 'CONNECT') return { ...place, forward: null }
  const forward = [`${method} ${url.pathname}${url.search} ${version}`, ...kept, 'connection: close', '', ''].join(
    '\r\n',
  )
  return { ...place, forward }
}

export function openSocksBridge(proxy: SocksProxy): SocksBridge {
  const secret = crypto.randomUUID()
  const word = Buffer.from(`bridge:${secret}`).toString('base64')
  const send = (socket: Socket<Visitor>, bytes: Uint8Array) => {
    if (socket.data.unsent.length > 0) return void socket.data.unsent.push(bytes)
    const sent = Math.max(0, socket.write(bytes))
    if (sent < bytes.byteLength) socket.data.unsent.push(bytes.subarray(sent))
  }
  const begin = (socket: Socket<Visitor>) => {
    const visitor = socket.data
    const end = visitor.head.indexOf('\r\n\r\n')
    if (end < 0) return void (visitor.head.length > headBytesMax && socket.end(refused))
    const wish = proxyRequestOf(visitor.head.subarray(0, end).toString('latin1'), word)
    const rest = visitor.head.subarray(end + 4)
    if (!wish) return void socket.end(refused)
    let isOpen = false
    const tunnel = openTunnel(proxy, wish.hostname, wish.port, {
      opened() {
        isOpen = true
        if (wish.forward === null) send(socket, Buffer.from('HTTP/1.1 200 Connection established\r\n\r\n'))
        else tunnel.write(Buffer.from(wish.forward, 'latin1'))
        if (rest.length > 0) tunnel.write(rest)
      },
      received: (bytes) => send(socket, Uint8Array.from(bytes)),
      ended() {
        visitor.isOver = true
        if (!isOpen) socket.end(refused)
        else if (visitor.unsent.length === 0) socket.end()
      },
    })
    visitor.tunnel = tunnel
  }
  const listener = Bun.listen<Visitor>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = { head: Buffer.alloc(0), tunnel: null, unsent: [], isOver: false }
      },
      data(socket, bytes) {
        if (socket.data.tunnel) return socket.data.tunnel.write(Uint8Array.from(bytes))
        socket.data.head = Buffer.concat([socket.data.head, bytes])
        begin(socket)
      },
      drain(socket) {
        const rest = socket.data.unsent
        socket.data.unsent = []
        for (const bytes of rest) send(socket, bytes)
        if (socket.data.isOver && socket.data.unsent.length === 0) socket.end()
      },
      close: (socket) => socket.data?.tunnel?.end(),
    },
  })
  listener.unref()
  return { url: `http://bridge:${secret}@127.0.0.1:${listener.port}` }
}
