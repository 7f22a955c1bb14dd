import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Insertable, sql } from 'kysely'
import { addComingDays } from '#server/db/logs/days/coming-days.ts'
import { addDays, logDays } from '#server/db/logs/days/log-days.ts'
import { dayAhead, endConstraint, isPartitioned } from '#server/db/logs/days/partition-log.ts'
import { forgetUnfinished, turnLog } from '#server/db/logs/days/turn-log.ts'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import type { LogsTable } from '#server/db/logs/logs-table.ts'
import { expireLogs } from '#server/jobs/expire-logs.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { logsApi } from '#shared/api/logs.ts'
import { usageApi } from '#shared/api/usage.ts'

let app: TestApp
let admin: SignedIn
let today: number
beforeAll(async () => {
  app = await startTestApp()
  admin = await signIn(app, { role: 'admin' })
  today = onPostgres ? await dayAhead(app.ctx.database.db, 0) : 0
})
afterAll(() => app.stop())

const rowAt = (at: number): Insertable<LogsTable> => ({
  ...emptyLogRow,
  type: 2,
  user_id: admin.userId,
  username: admin.username,
  model_name: 'm',
  created_at: at,
  quota: 10,
  outcome: 'done',
})
const insert = (...rows: Insertable<LogsTable>[]) => app.ctx.database.db.insertInto('logs').values(rows).execute()
const placeOf = async (at: number): Promise<string> =>
  (
    await sql<{ place: string }>`select tableoid::regclass::text as place from logs where created_at = ${at}`.execute(
      app.ctx.database.db,
    )
  ).rows[0]?.place ?? ''
const noon = (day: number) => day * daySeconds + 43_200
const usage = async () => (await admin.call(usageApi.summary, { scope: 'all', from: 0, to: noon(today + 30) })).totals

describe.skipIf(!onPostgres)('the log of PostgreSQL', () => {
  test('is kept by day on a new installation, for the days to come as well', async () => {
    const { db } = app.ctx.database
    expect(await isPartitioned(db)).toBe(true)
    expect(await logDays(db)).toEqual([today, today + 1])
    await addComingDays(app.ctx.database)
    await addComingDays(app.ctx.database)
    expect(await logDays(db)).toEqual(Array.from({ length: 8 }, (_, at) => today + at))
    await insert(rowAt(noon(today)), rowAt(noon(today + 1)), rowAt(noon(today - 400)))
    expect(await placeOf(noon(today))).toMatch(/^logs_\d{8}$/)
    expect(await placeOf(noon(today - 400))).toBe('logs_before')
  })

  test('moves rows of a day that came before its partition', async () => {
    await insert(rowAt(noon(today + 20)))
    expect(await placeOf(noon(today + 20))).toBe('logs_later')
    await app.ctx.database.db.transaction().execute((tx) => addDays(tx, today + 20, 1))
    expect(await placeOf(noon(today + 20))).toMatch(/^logs_\d{8}$/)
  })

  test('lets a day past its time go at once, and the figures stay', async () => {
    const before = await usage()
    expect(before.requests).toBe(4)
    await foldLogs(app.ctx)
    // One more that is not folded yet.
    await insert(rowAt(noon(today) + 1))
    await setOptions(app, { LogRetentionDays: '1' })
    app.time.now = noon(today + 2) * 1000
    await expireLogs(app.ctx)
    await setOptions(app, { LogRetentionDays: '0' })
    app.time.now = null
    expect(await logDays(app.ctx.database.db)).not.toContain(today)
    expect(await usage()).toMatchObject({ requests: 5, quota: before.quota + 10 })
    const left = await admin.call(logsApi.list, { type: 2 })
    expect(left.total).toBe(2)
    expect(left.list.map(({ created_at }) => created_at)).toEqual([noon(today + 20), noon(today + 1)])
  })

  test('of before is turned while it is used, without losing a row or a number', async () => {
    const { db } = app.ctx.database
    const { rows: indexes } = await sql<{ text: string }>`
      select indexdef as text from pg_indexes where tablename = 'logs' and indexname <> 'logs_pkey'`.execute(db)
    await sql`create table plain (like logs including defaults including identity)`.execute(db)
    await sql`insert into plain select * from logs`.execute(db)
    await sql`drop table logs`.execute(db)
    await sql`alter table plain rename to logs`.execute(db)
    await sql`alter table logs add constraint logs_pkey primary key (id)`.execute(db)
    for (const { text } of indexes) await sql.raw(text.replace(' ON ONLY ', ' ON ')).execute(db)
    await sql`select setval(pg_get_serial_sequence('logs', 'id'), max(id)) from logs`.execute(db)
    await db
      .deleteFrom('logs')
      .where('created_at', '>', noon(today + 2))
      .execute()
    const ids = async () => (await db.selectFrom('logs').select('id').orderBy('id').execute()).map(({ id }) => id)
    const before = await ids()

    // One that was killed halfway leaves a constraint behind, which would refuse rows some day.
    await sql`alter table logs add constraint ${sql.ref(endConstraint)} check (created_at < 99999999999) not valid`.execute(
      db,
    )
    await forgetUnfinished(db)
    const constraints = async () =>
      (await sql`select 1 from pg_constraint where conname = ${endConstraint}`.execute(db)).rows.length
    expect(await constraints()).toBe(0)

    let writing = true
    const writer = (async () => {
      while (writing) await insert(rowAt(noon(today)))
    })()
    expect(await turnLog(db)).toBe(true)
    writing = false
    await writer
    expect(await turnLog(db)).toBe(false)
    expect(await isPartitioned(db)).toBe(true)
    expect(await constraints()).toBe(0)
    const after = await ids()
    expect(after.slice(0, before.length)).toEqual(before)
    expect(new Set(after).size).toBe(after.length)
    expect(await logDays(db)).toEqual([today + 2, today + 3])
    const { rows } = await sql<{ name: string }>`
      select indexname as name from pg_indexes where tablename = 'logs' order by 1`.execute(db)
    expect(rows.map(({ name }) => name)).toContain('logs_user_id_created_at_id')
    await insert(rowAt(noon(today + 3)))
    expect(await placeOf(noon(today + 3))).toMatch(/^logs_\d{8}$/)
  })
})
