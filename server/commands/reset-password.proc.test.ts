import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnServer } from '#server/testing/spawned-server.ts'
import { freshDatabaseUrl } from '#server/testing/test-database.ts'

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
