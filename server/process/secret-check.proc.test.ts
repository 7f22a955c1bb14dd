import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '#server/db/database.ts'
import { newFolder, runCommand } from '#server/testing/run-command.ts'
import { signIn } from '#server/testing/sign-in.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { freshDatabaseUrl } from '#server/testing/test-database.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { readConfig } from './config.ts'
import { createContext } from './create-context.ts'

const key = 'a secret key for tests'
const open = async (databaseUrl: string, secretKey: string) => {
  const ctx = await createContext(readConfig({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }), secretKey)
  await ctx.database.close()
}

test('another secret key is refused, named, with what to do', async () => {
  const databaseUrl = await freshDatabaseUrl()
  await open(databaseUrl, key)
  await open(databaseUrl, key)
  expect(open(databaseUrl, 'quite another secret')).rejects.toThrow(/secret key.*SECRET_KEY.*backup/s)
})

test('a database without a check value is checked by what is sealed in it, and gets one', async () => {
  const databaseUrl = await freshDatabaseUrl()
  const app = await startTestApp({ databaseUrl })
  await (await signIn(app)).call(tokensApi.create, { name: 'old' })
  await app.ctx.database.db.deleteFrom('meta').where('key', '=', 'secret_check').execute()
  await app.stop()
  expect(open(databaseUrl, 'quite another secret')).rejects.toThrow(/secret key/)
  await open(databaseUrl, key)
  const database = openDatabase(databaseUrl)
  const checks = await database.db.selectFrom('meta').selectAll().where('key', '=', 'secret_check').execute()
  expect(checks).toHaveLength(1)
  await database.close()
})

test('another secret key is refused before the schema of an older version is touched', async () => {
  const databaseUrl = await freshDatabaseUrl()
  await open(databaseUrl, key)
  const database = openDatabase(databaseUrl)
  const last = await sql<{ name: string }>`select max(name) as name from migrations`.execute(database.db)
  const name = last.rows[0]?.name
  const schema = () => database.db.introspection.getTables()
  const applied = () => sql`select name from migrations order by name`.execute(database.db)
  await sql`delete from migrations where name = ${name}`.execute(database.db)
  const before = [await schema(), (await applied()).rows]
  await expect(open(databaseUrl, 'quite another secret')).rejects.toThrow(/secret key.*Nothing was changed/s)
  expect([await schema(), (await applied()).rows]).toEqual(before)
  await database.close()
})

test('the server does not start with another key, nor on a database of a newer version', async () => {
  const databaseUrl = await freshDatabaseUrl()
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: newFolder(), SECRET_KEY: 'the first key of all' }
  await runCommand(['migrate'], env)
  expect((await runCommand(['reset-password', 'nobody'], env)).output).toBe('There is no account nobody.\n')
  const other = await runCommand(['serve'], { ...env, PORT: '0', SECRET_KEY: 'another key, also long' })
  expect(other.code).not.toBe(0)
  expect(other.output).toContain('SECRET_KEY')
  expect(other.output).not.toContain('another key, also long')

  const database = openDatabase(databaseUrl)
  await sql`insert into migrations (name) values ('9999-of-tomorrow')`.execute(database.db)
  await database.close()
  for (const command of ['serve', 'migrate', 'reconcile']) {
    const newer = await runCommand([command], { ...env, PORT: '0' })
    expect(newer.code).not.toBe(0)
    expect(newer.output).toContain('newer version')
    expect(newer.output).toContain('9999-of-tomorrow')
  }
})

test('a start without the key of its database is refused and writes none', async () => {
  const databaseUrl = await freshDatabaseUrl()
  await open(databaseUrl, key)
  const folder = newFolder()
  for (const command of [['serve'], ['reset-password', 'root']]) {
    const refused = await runCommand(command, { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0' })
    expect(refused.code).not.toBe(0)
    expect(refused.output).toMatch(/secret key is missing.*secret\.key.*backup.*SECRET_KEY/s)
    expect(existsSync(join(folder, 'secret.key'))).toBe(false)
  }
  await open(databaseUrl, key)
})

test('whatever is written is readable by its owner alone', async () => {
  const folder = newFolder()
  mkdirSync(folder, { mode: 0o755 })
  const database = join(folder, 'inner', 'switchyard.db')
  const env = { DATA_DIR: join(folder, 'inner'), DATABASE_URL: `sqlite:${database}` }
  await runCommand(['migrate'], env)
  await runCommand(['reset-password', 'nobody'], env)
  expect((await runCommand(['backup', join(folder, 'copy')], env)).code).toBe(0)
  expect(new Database(database, { readonly: true }).query('select name from migrations').all()).not.toEqual([])
  for (const path of readdirSync(folder, { recursive: true }).map(String)) {
    expect([path, statSync(join(folder, path)).mode & 0o077]).toEqual([path, 0])
  }
})
