import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'

const program = Bun.which('pgbouncer', { PATH: `${process.env.PATH ?? ''}:/usr/sbin` })

export const hasPgBouncer = program !== null

/** A PgBouncer in transaction mode, in front of the server of an address. */
export interface PgBouncer {
  /** The same database by way of the pooler. */
  urlOf(direct: string): string
  kill(): Promise<void>
  /** Starts it again where it was. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** The settings it cannot do without; all else is left at its defaults. */
const settingsOf = (server: URL, port: number, folder: string) => `[databases]
* = host=${server.hostname} port=${server.port || 5432} user=${server.username || 'postgres'}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
`

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

export async function startPgBouncer(serverUrl: string): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-pgbouncer-'))
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, settingsOf(new URL(serverUrl), port, folder))
  writeFileSync(join(folder, 'users.txt'), '"pooled" "a password"\n')
  let child: Bun.Subprocess | null = null
  const start = async () => {
    // It refuses to run as root, but reads its files before it changes the user.
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    child = Bun.spawn([program ?? '', ...user, file], { stdio: ['ignore', 'ignore', 'ignore'] })
    await eventually(
      () => accepts(port),
      (isThere) => isThere,
    )
  }
  const kill = async () => {
    child?.kill('SIGKILL')
    await child?.exited
  }
  await start()
  return {
    urlOf(direct) {
      const url = new URL(direct)
      Object.assign(url, { username: 'pooled', password: 'a password', hostname: '127.0.0.1', port: String(port) })
      return url.toString()
    },
    kill,
    start,
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
