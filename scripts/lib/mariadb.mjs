import { spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from './find-program.mjs'
import { freePort } from './free-port.mjs'
import { run } from './processes.mjs'

const nobody = 65_534
const isRoot = process.getuid?.() === 0

async function untilReady(socket, server) {
  const ping = ['--no-defaults', '-uroot', `--socket=${socket}`, 'ping']
  for (let tries = 0; tries < 300 && server.exitCode === null; tries += 1) {
    if ((await run('mariadb-admin', ping, { stdio: 'ignore' })) === 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('MariaDB did not become ready')
}

/** Starts a MariaDB of our own in a temporary folder. Answers undefined where the machine has none: nothing is installed. */
export async function startMariaDb() {
  const [program, installer] = [findProgram('mariadbd'), findProgram('mariadb-install-db')]
  if (!program || !installer || !findProgram('mariadb-admin')) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-mariadb-'))
  chmodSync(folder, 0o755)
  const data = mkdtempSync(join(folder, 'data-'))
  if (isRoot) chownSync(data, nobody, nobody)
  const as = isRoot ? { uid: nobody, gid: nobody } : {}
  const quiet = { ...as, cwd: data, stdio: 'ignore' }
  const install = ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db']
  const remove = () => rmSync(folder, { recursive: true, force: true })
  if ((await run(installer, install, quiet)) !== 0) {
    remove()
    throw new Error('mariadb-install-db failed')
  }
  const port = await freePort()
  const socket = join(data, 's.sock')
  const flags = [`--datadir=${data}`, `--socket=${socket}`, `--port=${port}`, '--bind-address=127.0.0.1']
  const server = spawn(program, ['--no-defaults', ...flags, '--innodb-flush-log-at-trx-commit=0'], quiet)
  const stop = async () => {
    if (server.exitCode === null) {
      const gone = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await gone
    }
    remove()
  }
  try {
    await untilReady(socket, server)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `mysql://root@127.0.0.1:${port}/mysql`, stop }
}
