import { afterEach, describe, expect, test } from 'bun:test'
import pg from 'pg'
import { importInto } from '#server/testing/import-scene.ts'
import { insertRow, type SourceEngine } from '#server/testing/old-database.ts'
import { oneApiDatabase } from '#server/testing/one-api/create.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { importDatabase, lost } from './import-database.ts'
import { oneApi } from './one-api/program.ts'
import { createReport } from './report.ts'
import { openSource } from './source/open-source.ts'
import { withSourceErrors } from './source/reading.ts'
import type { Source } from './source/source.ts'

const opened: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop()
})

async function scene() {
  const old = await oneApiDatabase({ version: '0.6.4', upstream: 'http://127.0.0.1:1' })
  const app = await startTestApp()
  opened.push(app)
  return { app, old }
}

const engineOf = (address: string): SourceEngine =>
  address.startsWith('mysql') ? 'mysql' : address.startsWith('postgres') ? 'postgres' : 'sqlite'

/** Ends every connection to the old database, as a server does that is restarted. */
async function cutOff(address: string): Promise<void> {
  const name = new URL(address).pathname.slice(1)
  if (engineOf(address) === 'postgres') {
    const admin = new pg.Client({ connectionString: address })
    await admin.connect()
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    )
    return admin.end()
  }
  const admin = new Bun.SQL(address, { max: 1 })
  const rows = await admin.unsafe(
    `select id from information_schema.processlist where db = '${name}' and id <> connection_id()`,
  )
  for (const { id } of rows) await admin.unsafe(`kill ${id}`)
  await admin.close()
}

const usersOf = ({ ctx }: TestApp) => ctx.database.db.selectFrom('users').selectAll().orderBy('id').execute()

describe('a connection that is lost in the middle', () => {
  const attempt = async (app: TestApp, address: string, table: string) => {
    const report = createReport()
    const source = await openSource(address)
    let asked = 0
    const query: Source['query'] = async (text) => {
      if (text.includes(table) && text.includes('order by') && ++asked > 1) await cutOff(address)
      return source.query(text)
    }
    const broken = { ...source, query }
    try {
      const reader = oneApi.read({ source: broken, logs: broken, report, at: 1_710_000_000 })
      await importDatabase(app.ctx, { program: 'one-api', reader, report })
    } finally {
      await source.close().catch(() => {})
    }
  }

  test('is said, and the target is as it was or all but the log rows is there', async () => {
    const { app, old } = await scene()
    // A file has no connection.
    if (engineOf(old.address) === 'sqlite') return
    const before = await usersOf(app)
    await expect(attempt(app, old.address, 'tokens')).rejects.toThrow(/cannot be read: .+\. Nothing was written\.$/)
    expect(await usersOf(app)).toEqual(before)
    await expect(attempt(app, old.address, 'logs')).rejects.toThrow(/run the same command again/)
    await importInto(app, { source: old.address })
    expect(await app.ctx.database.db.selectFrom('logs').select('id').execute()).toHaveLength(3)
  })
})

test('a database of this server that is lost is distinguished from the old one', () => {
  const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  expect(() => lost('Nothing was written.')(gone)).toThrow(
    'The database of this server cannot be written to: write EPIPE. Run the same command again',
  )
})

test('an old database that is not there is said to be the trouble', async () => {
  const { app, old } = await scene()
  const wrong = engineOf(old.address) === 'sqlite' ? '/nowhere/old.db' : old.address.replace(/:\d+\//, ':1/')
  await expect(importInto(app, { source: wrong })).rejects.toThrow(/no file|refused|connect/i)
})

test('a server that takes the connection and stays silent is reported as silent, not only as of another kind', async () => {
  const silent = withSourceErrors(async () => {
    throw new Error('Connection timeout after 10s (during authentication)')
  })
  await expect(silent).rejects.toThrow('does not answer, or is another kind of server')
})

test('text in another encoding arrives as it is read there, or is named', async () => {
  const { app, old } = await scene()
  const engine = engineOf(old.address)
  const foreign: Record<SourceEngine, readonly string[]> = {
    // Chinese in GBK, in a column that is said to be UTF-8.
    sqlite: ["update users set display_name = cast(x'd6d0cec4' as text) where id = 2"],
    mysql: [
      'alter table users convert to character set gbk',
      'alter table tokens convert to character set latin1',
      "update users set display_name = '中文' where id = 2",
      "update tokens set name = 'façade' where id = 1",
    ],
    postgres: ["update users set display_name = '中文' where id = 2"],
  }
  await old.run(() => foreign[engine])
  const report = await importInto(app, { source: old.address })
  const { db } = app.ctx.database
  const user = await db.selectFrom('users').select('display_name').where('id', '=', 2).executeTakeFirstOrThrow()
  const token = await db.selectFrom('tokens').select('name').where('id', '=', 1).executeTakeFirstOrThrow()
  if (engine === 'sqlite') expect(report.lines().join('\n')).toContain('text that is not in UTF-8: user 2')
  else expect(user.display_name).toBe('中文')
  if (engine === 'mysql') expect(token.name).toBe('façade')
})

test('a file somebody is writing to is waited for', async () => {
  const { app, old } = await scene()
  if (engineOf(old.address) !== 'sqlite') return
  const held = `const { Database } = require('bun:sqlite'); const db = new Database(process.argv[1]);
    db.run('begin exclusive'); console.log('held'); setTimeout(() => { db.run('commit'); db.close() }, 700)`
  const writer = Bun.spawn([process.execPath, '-e', held, old.address], { stdout: 'pipe' })
  await writer.stdout.getReader().read()
  expect((await importInto(app, { source: old.address })).facts().counts).toMatchObject({ users: 5 })
  await writer.exited
})

test('a program goes on writing to its file while it is read', async () => {
  const { old } = await scene()
  if (engineOf(old.address) !== 'sqlite') return
  const source = await openSource(old.address)
  const quotaThere = async () => (await source.query('select quota from users where id = 2'))[0]?.quota
  const [before, logs] = [await quotaThere(), await source.query('select id from logs order by id')]
  // Nobody waits: a file that somebody keeps locked refuses at once.
  await old.run((engine) => [
    'update users set quota = 7 where id = 2',
    insertRow(engine, 'logs', { id: 900, user_id: 2, created_at: 1_710_000_000, type: 2, content: '', quota: 7 }),
  ])
  expect(await quotaThere()).toBe(before)
  expect(await source.query('select id from logs order by id')).toEqual(logs)
  await source.close()
})

test('the old database is as it was, to the byte', async () => {
  const { app, old } = await scene()
  if (engineOf(old.address) !== 'sqlite') return
  const before = await Bun.file(old.address).bytes()
  await importInto(app, { source: old.address })
  expect(Bun.deepEquals(await Bun.file(old.address).bytes(), before)).toBeTrue()
})
