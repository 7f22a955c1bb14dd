import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#server/db/database.ts'
import { startMailServer } from '#server/testing/mail-server.ts'
import { runCommand } from '#server/testing/run-command.ts'
import { spawnServer } from '#server/testing/spawned-server.ts'
import { createClient } from '#server/testing/test-app.ts'
import { freshDatabaseUrl } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'
import type { OptionKey } from '#shared/options.ts'

const main = join(import.meta.dirname, '..', 'main.ts')

/** The command with its output led to where a shell says. */
async function resetInto(redirected: string, env: Record<string, string>) {
  const { DATABASE_URL: _, SECRET_KEY: __, ...inherited } = process.env
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-reset-'))
  const shell = Bun.spawn(
    ['sh', '-c', `{ "$0" "$1" reset-password root; echo $? > code; } ${redirected}`, process.execPath, main],
    {
      cwd: folder,
      env: { ...inherited, ...env },
      stdout: 'ignore',
      stderr: 'pipe',
    },
  )
  const error = await new Response(shell.stderr).text()
  await shell.exited
  return { error, code: Number(await Bun.file(join(folder, 'code')).text()) }
}

test.if(existsSync('/dev/full')).each(['> /dev/full', '| true'])(
  'a made-up password that nobody can read (%s) is not set',
  async (redirected) => {
    const databaseUrl = await freshDatabaseUrl()
    const server = await spawnServer({ DATABASE_URL: databaseUrl })
    const reset = await resetInto(redirected, { DATABASE_URL: databaseUrl, DATA_DIR: server.dataDir })
    expect(reset.error).toContain('The new password could not be printed')
    expect(reset.code).toBe(1)
    const body = JSON.stringify({ username: 'root', password: '123456' })
    const login = await fetch(`${server.url}/api/user/login`, { method: 'POST', body })
    expect(await login.json()).toMatchObject({ success: true })
    server.kill('SIGTERM')
    await server.exited
  },
)

test('the owner of an account whose linked login ends gets a mail', async () => {
  const databaseUrl = await freshDatabaseUrl()
  const server = await spawnServer({ DATABASE_URL: databaseUrl })
  const mailbox = await startMailServer()
  const root = createClient(server.url)
  await root.call(api.auth.login, { username: 'root', password: '123456' })
  for (const [key, value] of Object.entries(mailbox.options))
    await root.call(api.options.update, { key: key as OptionKey, value })
  await root.call(api.users.create, { username: 'anna', password: 'some password' })
  const database = openDatabase(databaseUrl)
  const owner = { email: 'anna@example.com', github_id: '7' }
  await database.db.updateTable('users').set(owner).where('username', '=', 'anna').execute()
  await database.close()
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: server.dataDir }
  const reset = await runCommand(['reset-password', 'anna'], env)
  expect(reset.code).toBe(0)
  expect(mailbox.inbox.map(({ to }) => to)).toEqual([['anna@example.com']])
  expect(mailbox.inbox[0]?.body).toContain('GitHub')
  await mailbox.stop()
  server.kill('SIGTERM')
  await server.exited
}, 60_000)
