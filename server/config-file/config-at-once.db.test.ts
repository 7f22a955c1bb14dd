import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type pg from 'pg'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
let root: SignedIn
let spender: SignedIn
let before: string
beforeAll(async () => {
  app = await borrowApp()
  root = await signIn(app, { role: 'root' })
  spender = await signIn(app)
  const token = await spender.call(api.tokens.create, { name: 'daily' })
  await spender.call(api.tokens.update, { id: token.id, name: 'daily', budget_period: 'day' })
  for (const name of ['one', 'two']) await root.call(api.channels.create, { name, key: 'secret-key', models: 'gpt-4o' })
  await root.call(api.options.update, { key: 'SystemName', value: 'Yard' })
  before = (await root.call(api.config.export, {})).file
})
afterAll(() => app.stop())

const pool = (): pg.Pool => {
  const { database } = app.ctx
  if (database.engine !== 'postgres') throw new Error('for PostgreSQL')
  return database.pool
}

const waiting = async (): Promise<number> => {
  const { rows } = await pool().query(
    "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  )
  return rows[0].count
}

/** Does work that has to wait for what another transaction has begun with, and goes on there when it waits. */
async function meanwhile<Result>(first: string, work: () => Promise<Result>, then: string): Promise<Result> {
  const other = await pool().connect()
  await other.query('begin')
  // The database ends whoever looks for a deadlock first: that would be the work.
  await other.query("set local deadlock_timeout = '10min'")
  await other.query(first)
  const done = work()
  await eventually(waiting, (count) => count > 0)
  await other.query(then)
  await other.query('commit')
  other.release()
  return done
}

/** As a settlement does: who pays, then the channels it went through. */
const whileSettling = <Result>(work: () => Promise<Result>) =>
  meanwhile(
    `select 1 from users where id = ${spender.userId} for update`,
    work,
    'update channels set used_quota = used_quota + 0',
  )

const lastEntry = async () => (await root.call(api.history.list, { pagesize: 1 })).list[0]

const idOf = async (name: string) => (await root.call(api.channels.list, {})).list.find((row) => row.name === name)?.id

describe.skipIf(!onPostgres)('a configuration file', () => {
  test('with another time zone and other channels is applied and taken back while requests are settled', async () => {
    const file = before
      .replace('SystemName: Yard', 'TimeZone: Asia/Tokyo')
      .replace('name: one', 'name: one\n    priority: 4')
    const applied = await whileSettling(() => root.raw(api.config.apply, { file, env: {} }))
    expect([applied.message, applied.success]).toEqual(['', true])
    const id = (await lastEntry())?.id ?? 0
    const undone = await whileSettling(() => root.raw(api.history.undo, { id }))
    expect([undone.message, undone.success]).toEqual(['', true])
    expect((await root.call(api.config.export, {})).file).toBe(before)
  })

  test('overtakes no change that somebody makes of a channel meanwhile, and its entry says what it really changed', async () => {
    const id = await idOf('one')
    const file = before.replace('name: one', 'name: one\n    weight: 7')
    await meanwhile(
      `update channels set priority = 9 where id = ${id}`,
      () => root.call(api.config.apply, { file, env: {} }),
      'select 1',
    )
    expect(await lastEntry()).toMatchObject({ before: { priority: 9 }, after: { weight: 7, priority: 0 } })
    expect(await root.call(api.channels.get, { id: id ?? 0 })).toMatchObject({ weight: 7, priority: 0 })
    await root.call(api.config.apply, { file: before, env: {} })
  })
})

describe.skipIf(!onPostgres)('a draft of routing', () => {
  test('is applied and taken back while a configuration file is', async () => {
    const ids = [await idOf('two'), await idOf('one')].map((id) => id ?? 0)
    const prices = { 'gpt-4o': { input_usd: 3 } }
    for (let round = 0; round < 5; round += 1) {
      const draft = { channels: ids.map((id) => ({ id, priority: round + 1 })), prices }
      const file = before.replace('name: two', `name: two\n    weight: ${round + 2}`)
      await root.call(api.routing.apply, draft)
      const entry = (await lastEntry())?.id ?? 0
      const answers = await Promise.all([
        root.raw(api.routing.apply, { channels: draft.channels.toReversed() }),
        root.raw(api.config.apply, { file, env: {} }),
        root.raw(api.routing.apply, draft),
      ])
      expect(answers.map(({ message }) => message)).toEqual(['', '', ''])
      const undone = await Promise.all([
        root.raw(api.config.apply, { file: before, env: {} }),
        root.raw(api.history.undo, { id: entry }),
      ])
      expect(undone.map(({ message }) => message).join()).not.toContain('unavailable')
    }
  })
})
