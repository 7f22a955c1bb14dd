import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SpawnedServer, spawnServer } from '#server/testing/spawned-server.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'

const mainFile = join(import.meta.dirname, '..', 'main.ts')

async function runMain(args: string[], env: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchyard-'))
  const child = Bun.spawn([process.execPath, mainFile, ...args], {
    env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: '65336', DATA_DIR: dataDir, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err, files: readdirSync(dataDir) }
}

async function stop(server: SpawnedServer): Promise<number> {
  server.kill('SIGTERM')
  return server.exited
}

test('a fresh node says where it serves, how to log in, and is ready', async () => {
  const server = await spawnServer()
  expect(server.output()).toContain('root with the password 123456')
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(statSync(join(server.dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(await stop(server)).toBe(0)
})

test('a first start that found its port taken says how to log in when it serves, once', async () => {
  const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const env = { DATABASE_URL: await freshDatabaseUrl(), DATA_DIR: mkdtempSync(join(tmpdir(), 'switchyard-')) }
  const failed = await runMain(['serve'], { ...env, HOST: '127.0.0.1', PORT: String(taken.port) })
  expect(failed.code).not.toBe(0)
  expect(failed.out).not.toContain('First login')
  await taken.stop(true)
  for (const isFirst of [true, false]) {
    const server = await spawnServer(env)
    expect(server.output().includes('root with the password 123456')).toBe(isFirst)
    expect(await stop(server)).toBe(0)
  }
})

test('a node whose log nobody reads any more serves on, and stops in good order', async () => {
  const child = Bun.spawn([process.execPath, mainFile, 'serve'], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: mkdtempSync(join(tmpdir(), 'switchyard-')),
      DATABASE_URL: await freshDatabaseUrl(),
      LOG_LEVEL: 'debug',
    },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += new TextDecoder().decode(chunk)
    if (printed.includes('"serving"')) break
  }
  const url = /serves on (http:\S+)/.exec(printed)?.[1]
  for (const path of ['/readyz', '/api/status', '/readyz']) expect((await fetch(url + path)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})

test('an address that cannot be served on is refused with a reason, before anything is made', async () => {
  const other = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const taken = await runMain(['serve'], { HOST: '127.0.0.1', PORT: String(other.port), DATABASE_URL: '' })
  other.stop(true)
  expect(taken).toMatchObject({ code: 1, files: ['switchyard.db.lock'] })
  expect(taken.err).toContain(`Port ${other.port} is in use. Set PORT to another`)
  const nowhere = await runMain(['serve'], { HOST: '999.1.1.1', DATABASE_URL: '' })
  expect(nowhere).toMatchObject({ code: 1, files: ['switchyard.db.lock'] })
  expect(nowhere.err).toContain('HOST must be an address of this machine')
})

test('a configured password is never printed', async () => {
  const server = await spawnServer({ INITIAL_ROOT_PASSWORD: 'only-for-me-123' })
  expect(await stop(server)).toBe(0)
  expect(server.output()).toContain('INITIAL_ROOT_PASSWORD')
  expect(server.output()).not.toContain('only-for-me-123')
})

test('on SIGTERM, and on a second one, a request that runs is finished before the node goes with 0', async () => {
  const server = await spawnServer()
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  const answered = Promise.withResolvers<string>()
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
    if (received.includes('}')) answered.resolve(received)
  })
  socket.on('error', answered.reject)
  const body = JSON.stringify({ username: 'root', password: 'not it' })
  const head = `POST /api/user/login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: ${body.length}\r\n\r\n`
  await new Promise<void>((sent) => socket.write(head + body.slice(0, 5), () => sent()))
  // The node has seen the request once it answers one that came after it.
  await fetch(`${server.url}/healthz`)
  server.kill('SIGTERM')
  server.kill('SIGINT')
  await refusesConnections(server.url)
  socket.write(body.slice(5))
  expect(await answered.promise).toContain('"success":false')
  expect(await server.exited).toBe(0)
})

async function refusesConnections(url: string): Promise<void> {
  for (;;) {
    const reached = await fetch(`${url}/healthz`, { keepalive: false }).then(
      () => true,
      () => false,
    )
    if (!reached) return
    await Bun.sleep(10)
  }
}

test('a bad environment stops the start with code 2 and plain text', async () => {
  const { code, err } = await runMain(['serve'], { PORT: 'x', LOG_LEVEL: 'y' })
  expect(code).toBe(2)
  expect(err).toContain('PORT must be a whole number')
  expect(err).toContain('LOG_LEVEL')
  expect(err).not.toContain('at readConfig')
})

test('an unknown command lists the known ones', async () => {
  const { code, err } = await runMain(['dance'], {})
  expect(code).toBe(2)
  expect(err).toContain('reconcile')
})

test('started without the limit on upstream requests, the program starts itself again with it', async () => {
  const server = await spawnServer({ BUN_CONFIG_MAX_HTTP_REQUESTS: '' })
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  expect(await stop(server)).toBe(0)
})

test('a fresh database reconciles at drift 0', async () => {
  const DATABASE_URL = await freshDatabaseUrl()
  await runMain(['migrate'], { DATABASE_URL })
  const { code, out } = await runMain(['reconcile'], { LOG_LEVEL: 'error', DATABASE_URL })
  expect({ code, out }).toEqual({ code: 0, out: 'drift 0\n' })
})

test.if(onPostgres)('several workers share one port', async () => {
  const server = await spawnServer({ WORKERS: '2', PORT: String(await freePort()) })
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(await stop(server)).toBe(0)
})

async function freePort(): Promise<number> {
  const probe = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = probe
  await probe.stop(true)
  if (port === undefined) throw new Error('no port')
  return port
}
