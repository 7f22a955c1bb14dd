import type { Socket } from 'bun'

interface Session {
  stage: 'greeting' | 'login' | 'asking' | 'open'
  far: Socket<undefined> | null
}

export interface SocksServer {
  readonly url: string
  /** Places asked for, as `host:port`. */
  readonly asked: string[]
  /** `user:password` of those who logged in. */
  readonly logins: string[]
  stop(): void
}

/** A SOCKS5 proxy for tests; with `login` it wants a name and a password. */
export function startSocksServer(login?: string): SocksServer {
  const asked: string[] = []
  const logins: string[] = []
  const listener = Bun.listen<Session>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = { stage: 'greeting', far: null }
      },
      async data(socket, bytes) {
        const session = socket.data
        if (session.stage === 'open') return void session.far?.write(Uint8Array.from(bytes))
        if (session.stage === 'greeting') {
          session.stage = login ? 'login' : 'asking'
          return void socket.write(Uint8Array.of(5, login ? 2 : 0))
        }
        if (session.stage === 'login') {
          const nameEnd = 2 + (bytes[1] ?? 0)
          const given = `${bytes.subarray(2, nameEnd)}:${bytes.subarray(nameEnd + 1)}`
          logins.push(given)
          session.stage = 'asking'
          return void socket.write(Uint8Array.of(1, given === login ? 0 : 1))
        }
        const nameEnd = 5 + (bytes[4] ?? 0)
        const hostname = bytes.subarray(5, nameEnd).toString()
        const port = bytes.readUInt16BE(nameEnd)
        asked.push(`${hostname}:${port}`)
        session.far = await Bun.connect({
          hostname,
          port,
          socket: { data: (_, more) => void socket.write(Uint8Array.from(more)), close: () => void socket.end() },
        }).catch(() => null)
        session.stage = 'open'
        socket.write(Uint8Array.of(5, session.far ? 0 : 5, 0, 1, 0, 0, 0, 0, 0, 0))
      },
      close: (socket) => void socket.data?.far?.end(),
    },
  })
  const user = login ? `${login}@` : ''
  return { url: `socks5://${user}127.0.0.1:${listener.port}`, asked, logins, stop: () => listener.stop(true) }
}
