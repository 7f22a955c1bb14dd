import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { PostgresDatabase } from '#server/db/database.ts'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import { inReportTurn } from '#server/db/logs/report-turns.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'
import { countedLogsMax } from '#shared/api/logs.ts'

let app: TestApp
let reader: SignedIn
let other: SignedIn
const rows = countedLogsMax + 500
beforeAll(async () => {
  app = await startTestApp()
  reader = await signIn(app)
  other = await signIn(app)
  const some = (from: number) =>
    Array.from({ length: 500 }, (_, more) => ({
      ...emptyLogRow,
      user_id: reader.userId,
      type: 2,
      created_at: 1_700_000_000 + from + more,
      model_name: 'gpt-4o',
      group: 'default',
    }))
  for (let at = 0; at < rows; at += 500) await app.ctx.database.db.insertInto('logs').values(some(at)).execute()
  await foldLogs(app.ctx)
})
afterAll(() => app.stop())

test('a filtered log is counted up to ten thousand rows, and says so', async () => {
  const filter = { group: 'default', pagesize: 100 }
  const first = await reader.call(api.logs.own, filter)
  expect(first).toMatchObject({ total: countedLogsMax, total_is_lower_bound: true })
  expect(first.list).toHaveLength(100)
  const later = await reader.call(api.logs.own, { ...filter, page: 105 })
  expect(later).toMatchObject({ total: rows, total_is_lower_bound: true })
  expect(later.list).toHaveLength(100)
  expect(first.list[0]?.created_at).toBeGreaterThan(later.list[0]?.created_at ?? 0)
  expect(await reader.call(api.logs.own, {})).toMatchObject({ total: rows, total_is_lower_bound: false })
  const before = { ...filter, end_timestamp: 1_700_000_000 + 9_998 }
  expect(await reader.call(api.logs.own, before)).toMatchObject({ total: 9_999, total_is_lower_bound: false })
})

test('one report of a user is made at a time, and others do not wait for it', async () => {
  const gate = Promise.withResolvers<void>()
  const running = inReportTurn(app.ctx.nodeId, reader.userId, () => gate.promise)
  let isDone = false
  const own = reader.call(api.logs.own, { group: 'default' }).finally(() => {
    isDone = true
  })
  expect((await other.call(api.logs.own, { group: 'default' })).total).toBe(0)
  expect((await other.call(api.usage.summary, {})).totals).toBeDefined()
  expect(isDone).toBe(false)
  const more = Array.from({ length: 60 }, () => reader.raw(api.logs.own, { group: 'default' }))
  const refused = await Promise.race(more)
  expect(refused.status).toBe(429)
  gate.resolve()
  await running
  expect((await own).total).toBe(countedLogsMax)
  const statuses = (await Promise.all(more)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(40)
})

describe.if(onPostgres)('while all connections of reports and of the console are taken', () => {
  test('the node is ready', async () => {
    const { pool, reportPool } = app.ctx.database as PostgresDatabase
    const taken = await Promise.all(
      [pool, reportPool].flatMap((of) => Array.from({ length: of.options.max ?? 0 }, () => of.connect())),
    )
    try {
      await eventually(
        async () => (await fetch(`${app.url}/readyz`)).status,
        (status) => status === 200,
        1000,
      )
    } finally {
      for (const client of taken) client.release()
    }
  })

  test('reports keep nobody else waiting for a connection', async () => {
    const { reportPool } = app.ctx.database as PostgresDatabase
    const taken = await Promise.all(Array.from({ length: reportPool.options.max ?? 0 }, () => reportPool.connect()))
    try {
      expect((await other.call(api.account.self, {})).id).toBe(other.userId)
    } finally {
      for (const client of taken) client.release()
    }
  })
})
