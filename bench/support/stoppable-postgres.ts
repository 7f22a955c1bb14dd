import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../scripts/lib/postgres.mjs'

/** A PostgreSQL server of our own that can go away and come back. */
export interface StoppablePostgres {
  readonly url: string
  halt(): Promise<void>
  /** Resolves when it takes connections again. */
  resume(): Promise<void>
  stop(): Promise<void>
}

const nobody = 65_534

export async function startStoppablePostgres(): Promise<StoppablePostgres> {
  const started = await startPostgres()
  const folder = await dataFolder(started.url)
  const [program = '', ...args] = readFileSync(join(folder, 'postmaster.opts'), 'utf8')
    .trim()
    .split(/\s+(?=")/)
    .map((word) => word.replace(/^"|"$/g, ''))
  const as = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  let again: Bun.Subprocess | null = null
  const halt = async () => {
    const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(pid, 'SIGQUIT')
    while (isAlive(pid)) await Bun.sleep(20)
  }
  return {
    url: started.url,
    halt,
    async resume() {
      again = Bun.spawn([program, ...args], { ...as, stdio: ['ignore', 'ignore', 'ignore'] })
      while (!(await accepts(started.url))) await Bun.sleep(50)
    },
    async stop() {
      again?.kill('SIGINT')
      await again?.exited
      await started.stop()
    },
  }
}

async function dataFolder(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  await client.end()
  return rows[0]?.data_directory ?? ''
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 500 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}
