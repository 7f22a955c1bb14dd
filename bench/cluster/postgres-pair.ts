import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { binariesIn, freePort } from './programs.ts'

/** A primary and a standby that confirms every commit; either may die, and the standby take over. */
export interface PostgresPair {
  /** Host and port of each, in the order they are named in `DATABASE_URL`. */
  readonly ports: readonly [number, number]
  /** Kills the primary and makes the standby the one that takes writes. */
  failOver(): Promise<void>
  /** Makes a new standby where the dead one was. */
  rebuild(): Promise<void>
  stop(): Promise<void>
}

interface Server {
  readonly folder: string
  readonly port: number
  child: Bun.Subprocess | null
}

const nobody = 65_534
const as = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
const quiet = { ...as, stdio: ['ignore', 'ignore', 'ignore'] as ['ignore', 'ignore', 'ignore'] }

export async function startPostgresPair(): Promise<PostgresPair> {
  const binaries = await binariesIn()
  const home = mkdtempSync(join(tmpdir(), 'switchyard-pair-'))
  if (as.uid !== undefined) chownSync(home, nobody, nobody)
  const run = async (program: string, ...args: string[]) => {
    const code = await Bun.spawn([join(binaries, program), ...args], quiet).exited
    if (code !== 0) throw new Error(`${program} ended with ${code}`)
  }
  const server = async (name: string): Promise<Server> => ({
    folder: join(home, name),
    port: await freePort(),
    child: null,
  })
  const servers: [Server, Server] = [await server('one'), await server('two')]
  let primary = 0

  const boot = (one: Server, settings: Record<string, string> = {}) => {
    const all = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: one.folder,
      max_connections: '200',
      log_min_messages: 'fatal',
      wal_level: 'replica',
      max_wal_senders: '4',
      hot_standby: 'on',
      wal_log_hints: 'on',
      ...settings,
    }
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    one.child = Bun.spawn([join(binaries, 'postgres'), '-D', one.folder, '-p', String(one.port), ...flags], quiet)
  }
  const follow = async (standby: Server, leader: Server) => {
    rmSync(standby.folder, { recursive: true, force: true })
    const source = `host=127.0.0.1 port=${leader.port} user=postgres application_name=standby`
    await run('pg_basebackup', '-d', source, '-D', standby.folder, '-R', '-X', 'stream', '-c', 'fast')
    boot(standby)
    await untilAnswering(standby.port)
    await ask(leader.port, "alter system set synchronous_standby_names = 'standby'")
    await ask(leader.port, 'select pg_reload_conf()')
  }

  const [one, two] = servers
  await run('initdb', '-D', one.folder, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '-N')
  boot(one)
  await untilAnswering(one.port)
  await ask(one.port, 'create database switchyard')
  await follow(two, one)
  return {
    ports: [one.port, two.port],
    async failOver() {
      const [dead, next] = primary === 0 ? [one, two] : [two, one]
      dead.child?.kill('SIGKILL')
      await dead.child?.exited
      // A promoted standby waits for nobody: there is none left.
      await ask(next.port, 'select pg_promote()')
      await ask(next.port, "alter system set synchronous_standby_names = ''").catch(() => {})
      await ask(next.port, 'select pg_reload_conf()').catch(() => {})
      primary = 1 - primary
    },
    async rebuild() {
      const [leader, standby] = primary === 0 ? [one, two] : [two, one]
      await follow(standby, leader)
    },
    async stop() {
      for (const { child } of servers) {
        child?.kill('SIGKILL')
        await child?.exited
      }
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function ask(port: number, text: string): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(text)
  } finally {
    await client.end().catch(() => {})
  }
}

async function untilAnswering(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    try {
      return await ask(port, 'select 1')
    } catch {
      await Bun.sleep(100)
    }
  }
  throw new Error('PostgreSQL did not become ready')
}
