import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Insertable, sql } from 'kysely'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import { addToTotals, removeLogsOfUser, writeFoldMark } from '#server/db/logs/log-totals.ts'
import type { LogsTable } from '#server/db/logs/logs-table.ts'
import { transact } from '#server/db/transact.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { createDice } from '#server/testing/usage/dice.ts'
import { type Log, logsApi } from '#shared/api/logs.ts'
import type { ArgsOf } from '#shared/contract.ts'

type Row = Insertable<LogsTable>

const baseDay = 20_000

let app: TestApp
let admin: SignedIn
let anna: SignedIn
let bert: SignedIn

function someRows(dice: (sides: number) => number, count: number): Row[] {
  return Array.from({ length: count }, () => {
    const type = dice(4) === 0 ? 1 + dice(4) : 2
    const relayed = type === 2
    const { userId, username } = dice(3) === 0 ? bert : anna
    return {
      ...emptyLogRow,
      user_id: userId,
      username,
      created_at: baseDay * daySeconds + dice(5 * daySeconds),
      type,
      token_name: relayed ? `token-${dice(2)}` : '',
      model_name: relayed ? `model-${dice(3)}` : '',
      channel: relayed ? 1 + dice(3) : 0,
      quota: dice(1000),
      prompt_tokens: relayed ? dice(100) : 0,
      completion_tokens: relayed ? dice(100) : 0,
    }
  })
}

const insert = (rows: Row[]) => app.ctx.database.db.insertInto('logs').values(rows).execute()
const allRows = () => app.ctx.database.db.selectFrom('logs').selectAll().execute()
const truncate = async () => {
  for (const table of ['logs', 'log_totals', 'user_log_totals', 'token_log_totals'] as const) {
    await app.ctx.database.db.deleteFrom(table).execute()
  }
  await app.ctx.database.db.transaction().execute((tx) => writeFoldMark(tx, 0))
}

beforeAll(async () => {
  app = await borrowApp()
  admin = await signIn(app, { role: 'admin' })
  anna = await signIn(app, { username: 'anna' })
  bert = await signIn(app, { username: 'bert' })
})
afterAll(() => app.stop())

type Filter = ArgsOf<typeof logsApi.list>

const matches =
  (filter: Filter) => (row: { [Key in keyof Row]: unknown } & Awaited<ReturnType<typeof allRows>>[number]) =>
    (!filter.type || row.type === Number(filter.type)) &&
    (!filter.username || row.username === filter.username) &&
    (!filter.token_name || row.token_name === filter.token_name) &&
    (!filter.model_name || row.model_name === filter.model_name) &&
    (!filter.channel || row.channel === Number(filter.channel)) &&
    (!filter.start_timestamp || row.created_at >= Number(filter.start_timestamp)) &&
    (!filter.end_timestamp || row.created_at <= Number(filter.end_timestamp))

function someFilter(dice: (sides: number) => number): Filter {
  const start = baseDay * daySeconds + dice(5 * daySeconds)
  return {
    type: dice(2) === 0 ? dice(5) : 0,
    username: dice(3) === 0 ? 'bert' : '',
    token_name: dice(3) === 0 ? `token-${dice(2)}` : '',
    model_name: dice(3) === 0 ? `model-${dice(3)}` : '',
    channel: dice(3) === 0 ? 1 + dice(3) : 0,
    start_timestamp: dice(2) === 0 ? start : 0,
    end_timestamp: dice(2) === 0 ? start + dice(3 * daySeconds) : 0,
  }
}

async function expectSameAsScan(filter: Filter): Promise<void> {
  const rows = (await allRows()).filter(matches(filter)).sort((a, b) => b.created_at - a.created_at || b.id - a.id)
  const ids: number[] = []
  for (let page = 1; ; page++) {
    const { list, total } = await admin.call(logsApi.list, { ...filter, page, pagesize: 37 })
    expect(total).toBe(rows.length)
    ids.push(...list.map(({ id }) => id))
    if (list.length === 0) break
  }
  expect(ids).toEqual(rows.map(({ id }) => id))
  const consumed = (await allRows()).filter(matches({ ...filter, type: 2 }))
  expect(await admin.call(logsApi.stat, filter)).toEqual({
    quota: consumed.reduce((sum, { quota }) => sum + quota, 0),
    token: consumed.reduce((sum, row) => sum + row.prompt_tokens + row.completion_tokens, 0),
  })
}

describe('pages and totals are those of a plain scan', () => {
  const dice = createDice(7)
  const filters = Array.from({ length: 25 }, () => someFilter(dice))

  test('before anything is folded, half way, folded, and after clearing', async () => {
    await insert(someRows(dice, 300))
    for (const filter of filters.slice(0, 8)) await expectSameAsScan(filter)
    await foldLogs(app.ctx)
    await insert(someRows(dice, 120))
    for (const filter of filters) await expectSameAsScan(filter)
    await foldLogs(app.ctx)
    await foldLogs(app.ctx)
    for (const filter of filters.slice(0, 8)) await expectSameAsScan(filter)
    await insert(someRows(dice, 50))
    await admin.call(logsApi.clear, { target_timestamp: baseDay * daySeconds + 120_000 })
    for (const filter of filters) await expectSameAsScan(filter)
  }, 60_000)
})

test('clearing answers how many rows went, leaves a row saying so, and no empty totals', async () => {
  await truncate()
  await insert(someRows(createDice(3), 90))
  await foldLogs(app.ctx)
  const target = baseDay * daySeconds + 216_000
  const old = (await allRows()).filter((row) => row.created_at < target).length
  expect(await admin.call(logsApi.clear, { target_timestamp: target })).toBe(old)
  const left = await allRows()
  expect(left.filter((row) => row.created_at < target)).toEqual([])
  expect(left.at(-1)?.content).toBe(`cleared ${old} log rows older than ${new Date(target * 1000).toISOString()}`)
  const totals = await app.ctx.database.db.selectFrom('user_log_totals').selectAll().execute()
  expect(totals.every(({ count, day }) => count > 0 && day >= baseDay + 2)).toBe(true)
  const everything = Math.floor(Date.now() / 1000) + 1000
  expect(await admin.call(logsApi.clear, { target_timestamp: everything })).toBe(90 - old)
  expect(await app.ctx.database.db.selectFrom('log_totals').selectAll().execute()).toEqual([])
  const kept = await allRows()
  expect(kept.map(({ content }) => content.slice(0, 7))).toEqual(['cleared', 'cleared'])
  const longAgo = everything - 91 * daySeconds
  await app.ctx.database.db.updateTable('logs').set({ created_at: longAgo }).execute()
  expect(await admin.call(logsApi.clear, { target_timestamp: everything })).toBe(2)
})

test('the rows of one user go with what they add to the totals', async () => {
  await truncate()
  await insert(someRows(createDice(11), 80))
  await foldLogs(app.ctx)
  await transact(app.ctx, (tx) => removeLogsOfUser(tx, bert.userId))
  expect((await allRows()).some((row) => row.user_id === bert.userId)).toBe(false)
  await expectSameAsScan({})
  await expectSameAsScan({ token_name: 'token-1' })
})

test('rows written after the newest were deleted are counted like any other', async () => {
  await truncate()
  await insert(someRows(createDice(13), 60))
  await insert(someRows(createDice(17), 20).map((row) => ({ ...row, user_id: bert.userId })))
  await foldLogs(app.ctx)
  await transact(app.ctx, (tx) => removeLogsOfUser(tx, bert.userId))
  await insert(someRows(createDice(19), 30))
  await expectSameAsScan({})
  await foldLogs(app.ctx)
  await insert(someRows(createDice(23), 5))
  await expectSameAsScan({})
})

test('folding many times at once counts each row once', async () => {
  await truncate()
  await insert(someRows(createDice(5), 100))
  await Promise.all(Array.from({ length: 8 }, () => foldLogs(app.ctx)))
  const rows = await app.ctx.database.db.selectFrom('log_totals').select('count').execute()
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(100)
})

test('rows written while folding goes on are all counted, each once', async () => {
  await truncate()
  const dice = createDice(13)
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      await insert(someRows(dice, 20))
      await foldLogs(app.ctx)
    }),
  )
  await insert(someRows(dice, 5))
  await expectSameAsScan({})
  await foldLogs(app.ctx)
  const rows = await app.ctx.database.db.selectFrom('log_totals').select('count').execute()
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(405)
})

test.if(onPostgres)('a row that commits after a younger one is not passed over', async () => {
  await truncate()
  const dice = createDice(17)
  const younger = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const older = app.ctx.database.db.transaction().execute(async (tx) => {
    await tx.insertInto('logs').values(someRows(dice, 1)).execute()
    written.resolve()
    await younger.promise
  })
  await written.promise
  await insert(someRows(dice, 1))
  await foldLogs(app.ctx)
  younger.resolve()
  await older
  await foldLogs(app.ctx)
  const rows = await app.ctx.database.db.selectFrom('log_totals').select('count').execute()
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(2)
})

test('a fold that fails half way changes nothing', async () => {
  const sums = () => app.ctx.database.db.selectFrom('log_totals').selectAll().orderBy('day').execute()
  const before = await sums()
  const failing = transact(app.ctx, async (tx) => {
    await addToTotals(tx, sql`1 = 1`, 1)
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  expect(await sums()).toEqual(before)
})

test('own pages hold own rows, without the channels', async () => {
  await truncate()
  const relayed = { ...emptyLogRow, type: 2, model_name: 'm', token_name: 't', prompt_tokens: 3, completion_tokens: 4 }
  const at = { created_at: baseDay * daySeconds, quota: 5, channel: 9, tried: '8,9', detail: '{"by":"tokens"}' }
  await insert([
    { ...relayed, ...at, user_id: anna.userId, username: 'anna', outcome: 'done', is_stream: 1 },
    { ...relayed, ...at, user_id: bert.userId, username: 'bert' },
  ])
  const { list, total } = await anna.call(logsApi.own, {})
  expect(total).toBe(1)
  expect(list[0]).toMatchObject({
    user_id: anna.userId,
    channel: 0,
    tried: [],
    is_stream: true,
    outcome: 'done',
    detail: { by: 'tokens' },
  } satisfies Partial<Log>)
  expect(await anna.call(logsApi.ownStat, {})).toEqual({ quota: 5, token: 7 })
  expect((await admin.call(logsApi.list, { username: 'anna' })).list[0]).toMatchObject({ channel: 9, tried: [8, 9] })
  const elsewhere = await anna.fetch('/api/log/self?username=bert&channel=9')
  expect(((await elsewhere.json()) as { data: { total: number } }).data.total).toBe(1)
})

describe('refused', () => {
  test('a clear without a time, and anything but numbers', async () => {
    expect((await admin.raw(logsApi.clear, {})).message).toBe('target timestamp is required')
    for (const query of [
      'type=9',
      'type=x',
      'start_timestamp=-1',
      'channel=-1',
      'page=0',
      'pagesize=101',
      'page=1e99',
    ]) {
      const answer = await admin.fetch(`/api/log/?${query}`)
      expect([query, ((await answer.json()) as { success: boolean }).success]).toEqual([query, false])
    }
  })

  test('ordinary users, on all but their own', async () => {
    expect((await anna.raw(logsApi.list, {})).status).toBe(403)
    expect((await anna.raw(logsApi.stat, {})).status).toBe(403)
    expect((await anna.raw(logsApi.clear, { target_timestamp: 1 })).status).toBe(403)
    expect((await app.client().raw(logsApi.own, {})).status).toBe(401)
  })

  test.each(['%', '_', "' or '1'='1", 'nobody'])('the name %s, which finds nothing', async (name) => {
    for (const filter of [{ username: name }, { token_name: name }, { model_name: name }]) {
      expect(await admin.call(logsApi.list, filter)).toMatchObject({ list: [], total: 0 })
      expect(await admin.call(logsApi.stat, filter)).toEqual({ quota: 0, token: 0 })
    }
  })
})
