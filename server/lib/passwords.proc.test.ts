import { expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { startTestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import { checkingPassword, hashPassword } from './passwords.ts'

/** Tests hash cheaply; this is what a server does. */
async function hashOfAServer(): Promise<string> {
  const module = join(import.meta.dirname, 'passwords.ts')
  const script = `const { hashPassword } = await import(${JSON.stringify(module)}); console.log(await hashPassword('secret'))`
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
  return (await new Response(child.stdout).text()).trim()
}

test('a password is hashed with argon2id, 64 MB of memory and a salt of its own', async () => {
  const [one, other] = await Promise.all([hashOfAServer(), hashOfAServer()])
  for (const hash of [one, other]) {
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=2,p=1\$/)
    expect(await Bun.password.verify('secret', hash)).toBeTrue()
    expect(await Bun.password.verify('Secret', hash)).toBeFalse()
  }
  expect(one).not.toBe(other)
})

test('passwords are stored as argon2id hashes', async () => {
  const app = await startTestApp()
  const rows = await app.ctx.database.db.selectFrom('users').select('password_hash').execute()
  expect(rows.length).toBeGreaterThan(0)
  for (const { password_hash } of rows) expect(password_hash).toStartWith('$argon2id$')
  await app.stop()
})

test('new passwords, however many, keep no login waiting', async () => {
  const finish: (() => void)[] = []
  const hash = spyOn(Bun.password, 'hash').mockImplementation(
    () => new Promise((resolve) => finish.push(() => resolve('$argon2id$made'))),
  )
  const made = Array.from({ length: 10 }, () => hashPassword('another'))
  const login = checkingPassword((check) => check('secret', ''))
  expect(await Promise.race([login, Bun.sleep(1000).then(() => 'still waits')])).toBe(false)
  hash.mockRestore()
  for (const each of finish) each()
  await Promise.all(made)
})

test('nor one whose password was hashed in another way before', async () => {
  const app = await startTestApp()
  const old = await Bun.password.hash('old-password', { algorithm: 'bcrypt', cost: 4 })
  await app.ctx.database.db.updateTable('users').set({ password_hash: old }).where('id', '=', 1).execute()
  const finish: (() => void)[] = []
  const real = Bun.password.hash.bind(Bun.password)
  const hash = spyOn(Bun.password, 'hash').mockImplementation((plain, how) => {
    if (plain !== 'another') return real(plain, how)
    return new Promise((resolve) => finish.push(() => resolve('$argon2id$made')))
  })
  const made = Array.from({ length: 10 }, () => hashPassword('another'))
  const login = app.client().call(api.auth.login, { username: 'root', password: 'old-password' })
  const first = await Promise.race([login, Bun.sleep(1000).then(() => 'still waits')])
  hash.mockRestore()
  const ends = setInterval(() => finish.shift()?.(), 5)
  await Promise.all([...made, login])
  clearInterval(ends)
  expect(first).toMatchObject({ username: 'root' })
  const { db } = app.ctx.database
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  expect(password_hash).toStartWith('$argon2id$')
  await app.stop()
})
