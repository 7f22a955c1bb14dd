import { afterEach, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { importInto } from '#server/testing/import-scene.ts'
import { insertRow } from '#server/testing/old-database.ts'
import { oneApiDatabase } from '#server/testing/one-api/create.ts'
import { keys } from '#server/testing/one-api/data.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
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
  const app = await startTestApp()
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
    insertRow(engine, 'channels', { id: 80, type: null, key: null, name: null, models: null, status: null }),
  ])
  const report = await run(app, address)
  expect(report).toContain('quota is no number, set to 0: user 80, token 80')
  expect(report).toContain('negative quota set to 0: user 3 (-1234), user 81 (-3)')
  expect(report).toContain('token whose key another one has left out: token 81')
  expect(report).toContain('channel 80 (): type 0 is not known')
  const { db } = app.ctx.database
  expect(await reconcile(db)).toEqual([])
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
