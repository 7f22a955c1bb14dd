import { afterEach, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { importInto } from '#server/testing/import-scene.ts'
import { insertRow } from '#server/testing/old-database.ts'
import { oneApiDatabase } from '#server/testing/one-api/create.ts'
import { keys } from '#server/testing/one-api/data.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { importDatabase } from './import-database.ts'
import { oneApi } from './one-api/program.ts'
import { createReport } from './report.ts'
import { openSource } from './source/open-source.ts'
import { type Source, SourceLost } from './source/source.ts'

const opened: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop()
})

async function scene() {
  const old = await oneApiDatabase({ version: '0.6.4', upstream: 'http://127.0.0.1:1' })
  const app = await borrowApp()
  opened.push(app)
  return { app, old, address: old.address }
}

const run = async (app: TestApp, source: string): Promise<string> =>
  (await importInto(app, { source })).lines().join('\n')

const usersOf = ({ ctx }: TestApp) => ctx.database.db.selectFrom('users').selectAll().orderBy('id').execute()

describe('a source that is lost in the middle', () => {
  const breaking = (query: Source['query'], table: string): Source['query'] => {
    let asked = 0
    return async (text) => {
      if (text.includes(table) && text.includes('order by') && ++asked > 1) throw new SourceLost('gone away')
      return query(text)
    }
  }

  const attempt = async (app: TestApp, address: string, table: string) => {
    const report = createReport()
    const source = await openSource(address)
    const broken = { ...source, query: breaking(source.query, table) }
    const opened = { source: broken, logs: broken, report, at: 1_710_000_000 }
    try {
      await importDatabase(app.ctx, { program: 'one-api', reader: oneApi.read(opened), report })
    } finally {
      await source.close()
    }
  }

  test('leaves the target as it was', async () => {
    const { app, address } = await scene()
    const before = await usersOf(app)
    await expect(attempt(app, address, 'tokens')).rejects.toThrow('gone away. Nothing was written.')
    expect(await usersOf(app)).toEqual(before)
    expect(await run(app, address)).toContain('users: 5')
  })

  test('goes on with the log rows the next time', async () => {
    const { app, address } = await scene()
    await expect(attempt(app, address, 'logs')).rejects.toThrow('run the same command again')
    expect(await run(app, address)).not.toContain('users:')
    expect(await app.ctx.database.db.selectFrom('logs').select('id').execute()).toHaveLength(3)
  })
})

test('rows as bad as they come are taken with a word about each', async () => {
  const { app, address, old } = await scene()
  await old.run((engine) => [
    insertRow(engine, 'users', { id: 80, username: 'ANN', password: null, quota: null, status: 1, role: null }),
    insertRow(engine, 'users', { id: 81, username: null, password: null, quota: -3, status: null, aff_code: 'aB3d' }),
    insertRow(engine, 'tokens', { id: 80, user_id: 80, key: keys.ann.toUpperCase(), status: 1, remain_quota: null }),
    insertRow(engine, 'tokens', { id: 81, user_id: 80, key: keys.ann, status: 1, remain_quota: 1 }),
    insertRow(engine, 'tokens', { id: 82, user_id: 80, key: 'sk-', status: 1, remain_quota: 1 }),
    insertRow(engine, 'tokens', {
      id: 83,
      user_id: 80,
      key: 'endless',
      status: 1,
      expired_time: '9223372036854775807',
    }),
    insertRow(engine, 'users', { id: -7, username: 'below', password: '', quota: 5, status: 1, aff_code: 'belo' }),
    insertRow(engine, 'channels', { id: 80, type: null, key: null, name: null, models: null, status: null }),
  ])
  const report = await run(app, address)
  expect(report).toContain('quota is no number, set to 0: user 80, token 80')
  expect(report).toContain('negative quota set to 0: user 3 (-1234), user 81 (-3)')
  expect(report).toContain('token whose key another one has left out: token 81')
  expect(report).toContain('token without a key left out: token 82')
  expect(report).toContain('tokens without an owner left out: 1')
  expect(report).toContain('channel 80 (): type 0 is not known')
  expect(report).toContain('rows without a number: 1. Their id is 0 or less')
  const { db } = app.ctx.database
  expect(await reconcile(db)).toEqual([])
  const endless = db.selectFrom('tokens').select('expired_time').where('id', '=', 83)
  expect(await endless.executeTakeFirst()).toEqual({ expired_time: Number.MAX_SAFE_INTEGER })
  const twins = await db
    .selectFrom('users')
    .select(['id', 'status', 'role'])
    .where('id', '>=', 80)
    .orderBy('id')
    .execute()
  expect(twins).toEqual([
    { id: 80, status: 1, role: 1 },
    { id: 81, status: 2, role: 1 },
  ])
})

test('saved prices that cannot be read are named, and those of the program’s code count', async () => {
  const { app, address, old } = await scene()
  await old.run((engine) => [
    'delete from options',
    insertRow(engine, 'options', { key: 'ModelRatio', value: '{"gpt-4o": 7,' }),
    insertRow(engine, 'options', { key: 'CompletionRatio', value: '[]' }),
  ])
  expect(await run(app, address)).toContain('option with an invalid value left out: ModelRatio, CompletionRatio')
  await app.ctx.refreshOptions()
  expect(app.ctx.options().ModelRatio).toMatchObject({ 'gpt-4o': 2.5 })
})

test('a password inside of an address is not brought along, and its channel waits for somebody to look at it', async () => {
  const { app, address, old } = await scene()
  const base_url = 'https://ann:hush-hush@relay.example/v1'
  const row = { id: 90, type: 8, key: 'k', name: 'in', models: 'm', status: 1, base_url }
  await old.run((engine) => [insertRow(engine, 'channels', row)])
  const report = await run(app, address)
  expect(report).toContain('held a name or password')
  expect(report).not.toContain('hush-hush')
  const channels = await app.ctx.database.db.selectFrom('channels').selectAll().where('id', '=', 90).execute()
  expect(channels[0]?.base_url).toStartWith('https://relay.example/v1')
  expect(channels[0]?.status).not.toBe(1)
})

test('what a fork has marked as deleted stays away', async () => {
  const { app, address, old } = await scene()
  const tables = ['users', 'tokens', 'channels', 'redemptions']
  await old.run(() => [
    ...tables.map((table) => `alter table ${table} add column deleted_at varchar(40)`),
    "update users set deleted_at = '0'",
    "update users set deleted_at = '2025-01-01 10:00:00' where id = 70",
    "update tokens set deleted_at = '1700000000' where id = 1",
    "update channels set deleted_at = '2025-01-01 10:00:00' where id = 1",
    "update redemptions set deleted_at = '2025-01-01 10:00:00' where id = 1",
  ])
  const report = await run(app, address)
  for (const line of [
    'deleted users left out: 2',
    'deleted tokens left out: 1',
    'deleted redemption codes left out: 1',
  ])
    expect(report).toContain(line)
  expect(report).toContain('channel 1 (main): it was deleted')
  const { db } = app.ctx.database
  const ids = (table: 'users' | 'tokens' | 'channels' | 'redemptions') =>
    db.selectFrom(table).select('id').orderBy('id').execute()
  expect((await ids('users')).map(({ id }) => id)).toEqual([1, 2, 3, 5])
  expect((await ids('tokens')).map(({ id }) => id)).toEqual([2])
  expect((await ids('channels')).map(({ id }) => id)).not.toContain(1)
  expect((await ids('redemptions')).map(({ id }) => id)).toEqual([2])
})

test('what an account far before has already is not given twice', async () => {
  const { app, address, old } = await scene()
  const person = { password: '', quota: 1, status: 1, role: 1 }
  const crowd = Array.from({ length: 1100 }, (_, at) => ({ id: 1000 + at, username: `person ${at}`, ...person }))
  const twin = { email: 'One@example.com', github_id: 'OCTO', access_token: 'a'.repeat(32), aff_code: 'tttt' }
  await old.run((engine) => [
    'begin',
    ...crowd.map((each, at) =>
      insertRow(engine, 'users', {
        ...each,
        aff_code: `a${at}`,
        access_token: `${at}`.padStart(32, 'b'),
        ...(at === 0 ? { email: 'one@example.com', github_id: 'octo', aff_code: 'ssss' } : {}),
      }),
    ),
    insertRow(engine, 'users', { id: 5000, username: 'twin', ...person, ...twin }),
    insertRow(engine, 'users', { id: 5001, username: null, ...person, aff_code: 'uuuu', access_token: 'c'.repeat(32) }),
    ...crowd.map(({ id }) =>
      insertRow(engine, 'tokens', { id, user_id: id, key: `key ${id}`, status: 1, remain_quota: 1 }),
    ),
    insertRow(engine, 'tokens', { id: 5000, user_id: 5000, key: 'sk-key 1000', status: 1, remain_quota: 1 }),
    insertRow(engine, 'tokens', { id: 5001, user_id: 4999, key: 'of nobody', status: 1, remain_quota: 1 }),
    'commit',
  ])
  const report = await run(app, address)
  for (const line of [
    'email of another account cleared: user 3, user 5000',
    'github id of another account cleared: user 70, user 5000',
  ])
    expect(report).toContain(line)
  expect(report).toContain('user 5001 is now user_5001')
  expect(report).toContain('token whose key another one has left out: token 5000')
  const { db } = app.ctx.database
  const accounts = await db
    .selectFrom('users')
    .select(['id', 'email', 'github_login'])
    .where('id', 'in', [1000, 5000])
    .orderBy('id')
    .execute()
  expect(accounts).toEqual([
    { id: 1000, email: 'one@example.com', github_login: 'octo' },
    { id: 5000, email: '', github_login: '' },
  ])
  expect(await db.selectFrom('tokens').select('id').where('id', '>=', 5000).execute()).toEqual([])
  expect(await reconcile(db)).toEqual([])
}, 60_000)
