import { expect, test } from 'bun:test'
import { hotp, stepAt } from '#server/identity/totp.ts'
import { runCommand } from '#server/testing/run-command.ts'
import { spawnServer } from '#server/testing/spawned-server.ts'
import { freshDatabaseUrl } from '#server/testing/test-database.ts'

test('a lost second factor is removed on the machine, and only when asked for', async () => {
  const databaseUrl = await freshDatabaseUrl()
  const server = await spawnServer({ DATABASE_URL: databaseUrl })
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: server.dataDir }
  const post = async (path: string, body: object, cookie = '') => {
    const answer = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { cookie },
      body: JSON.stringify(body),
    })
    const { data } = (await answer.json()) as { data: Record<string, unknown> | null }
    return { data, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  }
  const logIn = (password: string) => post('/api/user/login', { username: 'root', password })
  const { cookie } = await logIn('123456')
  const { data } = await post('/api/user/totp', {}, cookie)
  await post('/api/user/totp/confirm', { code: hotp(String(data?.secret), stepAt(Date.now() / 1000)) }, cookie)

  const kept = await runCommand(['reset-password', 'root', '--password', 'first-password'], env)
  expect(kept.output).toContain('The account asks for a second factor; --second-factor removes it.')
  expect((await logIn('first-password')).data).toMatchObject({ second_factor: ['totp'] })

  const removed = await runCommand(['reset-password', 'root', '--password', 'second-password', '--second-factor'], env)
  expect(removed).toMatchObject({ code: 0, output: 'root has the new password.\n' })
  expect((await logIn('second-password')).data).toMatchObject({ username: 'root' })
  server.kill('SIGTERM')
  await server.exited
})
