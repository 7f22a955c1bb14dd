import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { createOneApi } from '#server/testing/one-api/create.ts'
import { passwords } from '#server/testing/one-api/data.ts'
import { newFolder, runCommand } from '#server/testing/run-command.ts'
import { spawnServer } from '#server/testing/spawned-server.ts'
import { freshDatabaseUrl } from '#server/testing/test-database.ts'

const names = [
  'serve',
  'migrate',
  'reconcile',
  'backup',
  'restore',
  'move',
  'partition-log',
  'return-budgets',
  'reset-password',
  'import',
  'config',
  'health',
]

describe('the command line', () => {
  test('explains itself, and each of its commands', async () => {
    const overview = await runCommand(['--help'])
    expect(overview.code).toBe(0)
    for (const name of names) expect(overview.output).toContain(`  ${name} `)
    for (const name of names) {
      const help = await runCommand([name, '--help'], { PORT: 'nonsense' })
      expect(help.output).toContain(`Usage: switchyard ${name}`)
      expect(help.code).toBe(0)
    }
  })

  test.each([
    [['dance'], 'There is no command dance'],
    [['serve', '--port', '8080'], 'serve takes no arguments, but got --port 8080. Settings are environment variables'],
    [['reconcile', 'everything'], 'reconcile takes no arguments'],
    [['backup'], 'The folder is missing.'],
    [['restore', 'a', 'b'], 'There is more than the folder of the backup: b'],
    [['move', 'mysql://somewhere'], 'The address must begin with postgres://'],
    [['import', 'x', '--dry'], "Unknown option '--dry'"],
    [['reset-password', 'root', '--password', 'short'], 'password length must not be less than 8'],
  ])('%p is refused with code 2 and a reason', async (args, reason) => {
    const refused = await runCommand(args, { DATA_DIR: newFolder() })
    expect(refused.output).toContain(reason)
    expect(refused.code).toBe(2)
    expect(refused.output).toContain('Usage: switchyard')
  })

  test.each([[['reconcile']], [['reset-password', 'root']], [['partition-log']], [['config', 'export']]])(
    '%p makes no database where there is none',
    async (args) => {
      const folder = newFolder()
      const refused = await runCommand(args, { DATA_DIR: folder, DATABASE_URL: '' })
      expect(refused.output).toContain(`There is no database at ${folder}`)
      expect(refused.code).toBe(1)
      expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
    },
  )

  test('says which variable leads to a PostgreSQL that is not there', async () => {
    const refused = await runCommand(['migrate'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    expect(refused.output).toContain('Check the address in DATABASE_URL')
    expect(refused.code).toBe(1)
  })

  test('names a bad variable before doing anything', async () => {
    const refused = await runCommand(['migrate'], { PORT: 'nonsense', DATA_DIR: newFolder() })
    expect(refused.output).toContain('PORT must be a whole number')
    expect(refused.code).toBe(2)
  })
})

const logIn = async (url: string, username: string, password: string): Promise<{ ok: boolean; cookie: string }> => {
  const answer = await fetch(`${url}/api/user/login`, { method: 'POST', body: JSON.stringify({ username, password }) })
  const { success } = (await answer.json()) as { success: boolean }
  return { ok: success, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

test('a reset password works at once beside a running server, and the old sessions and access token end', async () => {
  const databaseUrl = await freshDatabaseUrl()
  const server = await spawnServer({ DATABASE_URL: databaseUrl })
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: server.dataDir }
  const { cookie } = await logIn(server.url, 'root', '123456')
  const self = (headers: Record<string, string> = { cookie }) => fetch(`${server.url}/api/user/self`, { headers })
  const token = (await (await fetch(`${server.url}/api/user/token`, { headers: { cookie } })).json()) as {
    data: string
  }
  expect((await self()).status).toBe(200)
  expect((await self({ authorization: token.data })).status).toBe(200)

  const made = await runCommand(['reset-password', 'root'], env)
  const password = /: (\w{16})\n/.exec(made.output)?.[1] ?? ''
  expect((await self()).status).toBe(401)
  expect((await self({ authorization: token.data })).status).toBe(401)
  expect((await logIn(server.url, 'root', '123456')).ok).toBeFalse()
  expect((await logIn(server.url, 'root', password)).ok).toBeTrue()

  const chosen = await runCommand(['reset-password', 'root', '--password', 'chosen-by-me'], env)
  expect(chosen.output).not.toContain('chosen-by-me')
  expect((await logIn(server.url, 'root', 'chosen-by-me')).ok).toBeTrue()
  const unknown = await runCommand(['reset-password', 'nobody'], env)
  expect(unknown).toMatchObject({ code: 1, output: 'There is no account nobody.\n' })
  server.kill('SIGTERM')
  await server.exited
})

test('an import is previewed, done once, and served', async () => {
  const upstream = startFakeUpstream()
  const source = await createOneApi({ version: '0.6.11', upstream: upstream.url })
  const env = { DATABASE_URL: await freshDatabaseUrl(), DATA_DIR: newFolder() }
  const rehearsed = await runCommand(['import', source, '--dry-run'], env)
  expect(rehearsed.output).toContain('nothing was written')
  expect(rehearsed.output).toContain('users: 5')
  expect(rehearsed.code).toBe(0)
  expect(existsSync(env.DATA_DIR)).toBeFalse()

  const done = await runCommand(['import', source], env)
  expect(done.output).toContain('0 balances drift')
  expect(done.code).toBe(0)
  expect(done.output).toContain('log rows: 3')
  const again = await runCommand(['import', source], env)
  expect(again.output).toContain('nothing was changed')
  expect(again.code).toBe(0)

  const server = await spawnServer(env)
  expect(server.output()).not.toContain('First login')
  expect((await logIn(server.url, 'root', passwords.root)).ok).toBeTrue()
  server.kill('SIGTERM')
  await server.exited
  await upstream.stop()
})

test('import reports in JSON, names the program, and refuses one that does not fit', async () => {
  const source = await createOneApi({ version: '0.6.11', upstream: 'http://127.0.0.1:1' })
  const env = { DATABASE_URL: await freshDatabaseUrl(), DATA_DIR: newFolder() }
  const { code, output } = await runCommand(['import', source, '--dry-run', '--json'], env)
  expect(code).toBe(0)
  const report = JSON.parse(output)
  expect(report).toMatchObject({ program: 'one-api', dry_run: true, drift: 0, counts: { users: 5, 'log rows': 4 } })
  expect(report.channels).toContainEqual(expect.objectContaining({ id: 11, name: 'aws', outcome: 'disabled' }))
  const other = await runCommand(['import', source, '--from', 'new-api'], env)
  expect(other.code).toBe(1)
  expect(other.output).toContain('tokens.model_limits')
  expect((await runCommand(['import', source, '--from', 'two-api'], env)).code).toBe(2)
})

test('health distinguishes a server that lives from one that does not', async () => {
  const server = await spawnServer()
  const { hostname, port } = new URL(server.url)
  expect(await runCommand(['health'], { HOST: hostname, PORT: port })).toEqual({ code: 0, output: 'alive\n' })
  server.kill('SIGTERM')
  await server.exited
  const dead = await runCommand(['health'], { HOST: hostname, PORT: port })
  expect(dead).toEqual({ code: 1, output: `${server.url}/healthz does not answer.\n` })
})

test('a source that is no one-api database is refused in a sentence', async () => {
  const env = { DATABASE_URL: await freshDatabaseUrl(), DATA_DIR: newFolder() }
  const missing = await runCommand(['import', '/nowhere/one-api.db'], env)
  expect(missing).toMatchObject({
    code: 1,
    output: 'The old database cannot be read: there is no file /nowhere/one-api.db. Nothing was written.\n',
  })
  const other = await runCommand(['import', 'package.json'], env)
  expect(other.code).toBe(1)
})
