import { Database as Sqlite } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import { writeLog } from '#server/db/logs/log-rows.ts'
import { removeLogs, totalsTables } from '#server/db/logs/log-totals.ts'
import { type UsageLogRow, usageColumns } from '#server/db/usage/cells.ts'
import { shapes } from '#server/db/usage/shapes.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { createDice } from '#server/testing/usage/dice.ts'
import type { LogEvent } from '#shared/log-events.ts'
import { logType } from '#shared/statuses.ts'
import { foldLogs } from './fold-logs.ts'

let app: TestApp
let serial = 0
const dice = createDice(41)
const begin = 1_790_000_000
/** Every request there was, also those whose rows are gone. */
const all: UsageLogRow[] = []

beforeAll(async () => {
  app = await borrowApp()
  const row = { key_sealed: '', models: '', subnet: '', status: 1, expired_time: -1, remain_quota: 0 }
  const counts = { created_time: 0, accessed_time: 0, unlimited_quota: 1, used_quota: 0 }
  for (const id of [1, 2])
    await app.ctx.database.db
      .insertInto('tokens')
      .values({ id, user_id: 1, key_hash: `none-${id}`, name: `token-${id}`, ...row, ...counts })
      .execute()
})
afterAll(() => app.stop())

/** A request that costs nothing, from its hold to its row. */
async function request(more: Partial<UsageLogRow> = {}): Promise<void> {
  const tokenId = 1 + dice(2)
  const party = { userId: 1, tokenId, teamId: 0, memberId: 0 }
  const id = `request-${++serial}`
  const at = begin + dice(200_000)
  const log = {
    ...emptyLogRow,
    type: logType.consumption,
    user_id: 1,
    created_at: at,
    username: 'root',
    token_id: tokenId,
    token_name: `token-${tokenId}`,
    model_name: `model-${dice(3)}`,
    channel: 1 + dice(3),
    group: dice(2) === 0 ? 'default' : 'vip',
    prompt_tokens: dice(1000),
    completion_tokens: dice(100),
    cached_tokens: dice(10),
    cost: dice(2) === 0 ? null : dice(50),
    duration_ms: dice(5000),
    first_byte_ms: dice(3) === 0 ? 0 : dice(500),
    outcome: dice(5) === 0 ? 'failed' : 'done',
    request_id: id,
    ...more,
  }
  await app.ctx.ledger.reserve({ id, ...party, least: 0, wanted: 0, at, limits: null })
  const ending = { id, ...party, charge: 0, channelId: 0, counts: true, at, admittedAt: at, corrections: [] }
  await app.ctx.ledger.settle({ ...ending, log })
  all.push(log)
}

/** Whoever uses the database has what waits in the journal written into the log. */
const written = () => sql`select 1`.execute(app.ctx.database.db)

const requests = (count: number) => Promise.all(Array.from({ length: count }, () => request()))

const sumOf = (rows: readonly UsageLogRow[]) => ({
  requests: rows.length,
  failed: rows.filter(({ outcome }) => outcome === 'failed').length,
  prompt_tokens: rows.reduce((sum, row) => sum + row.prompt_tokens, 0),
  cached_tokens: rows.reduce((sum, row) => sum + row.cached_tokens, 0),
  completion_tokens: rows.reduce((sum, row) => sum + row.completion_tokens, 0),
  quota: 0,
  cost: rows.reduce((sum, row) => sum + (row.cost ?? 0), 0),
  cost_unknown: rows.filter(({ cost }) => cost === null).length,
})

/** Roll-ups count every request that there was, and totals every row that there is, each once and in its place. */
async function expectExact(): Promise<void> {
  await foldLogs(app.ctx)
  const { db } = app.ctx.database
  for (const { table, spans, keys } of shapes) {
    for (const span of spans) {
      const { rows } = await sql<Record<string, string | number>>`
        select * from ${sql.table(table)} where span = ${span}`.execute(db)
      const expected = Map.groupBy(all, (row) =>
        JSON.stringify([row.created_at - (row.created_at % span), ...keys.map((key) => row[key])]),
      )
      expect(rows.length).toBe(expected.size)
      for (const row of rows) {
        const those = expected.get(JSON.stringify([row.slot, ...keys.map((key) => row[key])]))
        expect(row).toMatchObject(sumOf(those ?? []))
        expect(counted(String(row.duration))).toBe(those?.length ?? 0)
        expect(counted(String(row.first_byte))).toBe(those?.filter((one) => one.first_byte_ms > 0).length ?? 0)
      }
    }
  }
  const logs = await db.selectFrom('logs').selectAll().execute()
  for (const { name, needsToken } of totalsTables) {
    const rows = await db.selectFrom(name).select(['count', 'tokens']).execute()
    const those = logs.filter(({ token_name }) => !needsToken || token_name !== '')
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(those.length)
    expect(rows.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(
      those.reduce((sum, row) => sum + row.prompt_tokens + row.completion_tokens, 0),
    )
  }
}

const counted = (times: string): number =>
  times.split(',').reduce((sum, part) => sum + Number(part.split(':')[1] ?? 0), 0)

const byAdmin = () => {
  const event: LogEvent = { code: 'config.applied', values: { count: 1 } }
  return app.ctx.database.db
    .transaction()
    .execute((tx) => writeLog(tx, { userId: 1, username: 'root', type: logType.admin, event, at: begin + 5 }))
}

const remove = (which: ReturnType<typeof sql<boolean>>) =>
  app.ctx.database.db.transaction().execute((tx) => removeLogs(tx, which))

describe('every request is counted once', () => {
  test('by one fold after the other', async () => {
    for (let round = 0; round < 5; round++) {
      await requests(1 + dice(40))
      await expectExact()
    }
  })

  test('with what people did between them', async () => {
    await requests(10)
    await byAdmin()
    await requests(10)
    await expectExact()
    await byAdmin()
    await expectExact()
  })

  test('when rows go that were not folded yet', async () => {
    await requests(20)
    await remove(sql<boolean>`channel = 2`)
    await requests(5)
    await expectExact()
    await requests(5)
    await remove(sql<boolean>`1 = 1`)
    await request()
    await expectExact()
    await request()
    await expectExact()
  })

  test('when several fold at once, and requests go on', async () => {
    await Promise.all([
      requests(30),
      foldLogs(app.ctx),
      requests(30).then(() => requests(30)),
      foldLogs(app.ctx).then(() => foldLogs(app.ctx)),
    ])
    await expectExact()
  })

  test('when a fold fails half way', async () => {
    await requests(10)
    const { db } = app.ctx.database
    await sql`alter table usage_totals rename to usage_totals_away`.execute(db)
    await expect(foldLogs(app.ctx)).rejects.toThrow()
    await sql`alter table usage_totals_away rename to usage_totals`.execute(db)
    await requests(10)
    await expectExact()
  })

  test('also those of a token that is known by its name alone', async () => {
    await requests(3)
    await request({ token_id: 0, token_name: 'token-2' })
    const last = all.pop()
    if (last) all.push({ ...last, token_id: 2 })
    await requests(3)
    await expectExact()
  })

  test('also of more callers than are kept in memory', async () => {
    const many = Array.from({ length: 2300 }, (_, at) => at)
    for (let at = 0; at < many.length; at += 700)
      await Promise.all(many.slice(at, at + 700).map((one) => request({ model_name: `many-${one}` })))
    await requests(10)
    await expectExact()
  }, 60_000)
})

test.skipIf(onPostgres)('what this process has written is not read again, unless another one wrote too', async () => {
  const { database } = app.ctx
  if (database.engine !== 'sqlite') throw new Error('only on SQLite')
  await requests(20)
  await written()
  expect(database.fresh.after()).toBeNumber()
  await expectExact()
  expect(database.fresh.after()).toBeUndefined()
  await requests(20)
  await written()
  const other = new Sqlite(app.ctx.config.DATABASE_URL.slice('sqlite:'.length))
  other.run("update logs set model_name = 'other' where id = (select max(id) from logs)")
  other.close()
  const { db } = database
  const row = await db
    .selectFrom('logs')
    .select([...usageColumns])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  all.pop()
  all.push(row)
  await expectExact()
})

test.skipIf(onPostgres)('what is known of the log is not forgotten because somebody reads it', async () => {
  const { database } = app.ctx
  if (database.engine !== 'sqlite') throw new Error('only on SQLite')
  await requests(5)
  await written()
  const known = database.fresh.after()
  expect(known).toBeNumber()
  await sql`
    select count(*) from logs`.execute(database.db)
  expect(database.fresh.after()).toBe(known)
  await expectExact()
})
