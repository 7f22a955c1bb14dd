import { connect, createServer, type Server, type Socket } from 'node:net'

/** Passes connections on to servers in turn; one that cannot be reached is passed over. */
export interface TcpBalancer {
  readonly port: number
  /** Breaks every connection and accepts none until `mend`. */
  cut(): void
  /** Keeps connections and accepts new ones, but passes nothing on until `mend`. */
  hush(): void
  mend(): void
  stop(): Promise<void>
}

export interface Address {
  readonly host: string
  readonly port: number
}

export const addressOf = (url: string): Address => {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}

export async function startTcpBalancer(targets: readonly Address[]): Promise<TcpBalancer> {
  const sockets = new Set<Socket>()
  let turn = 0
  let isCut = false
  let isSilent = false
  const passOn = (from: Socket, to: Socket) => {
    from.on('data', (chunk) => isSilent || to.write(chunk))
    from.on('end', () => to.end())
  }
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  }
  const join = (client: Socket, first: number, tries = 0): void => {
    const target = targets[(first + tries) % targets.length]
    if (!target || tries === targets.length) return void client.destroy()
    const upstream = track(connect(target.port, target.host))
    let joined = false
    upstream.on('connect', () => {
      joined = true
      passOn(client, upstream)
      passOn(upstream, client)
    })
    upstream.on('close', () => (joined ? client.destroy() : join(client, first, tries + 1)))
    client.on('close', () => upstream.destroy())
  }
  const server: Server = createServer((client) => {
    track(client)
    if (isCut) client.destroy()
    else join(client, turn++)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut() {
      isCut = true
      breakAll()
    },
    hush() {
      isSilent = true
    },
    mend() {
      isCut = false
      isSilent = false
    },
    stop() {
      breakAll()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
