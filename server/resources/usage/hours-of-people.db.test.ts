import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Insertable, sql } from 'kysely'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import type { LogsTable } from '#server/db/logs/logs-table.ts'
import { migrate } from '#server/db/migrate.ts'
import { name as migration } from '#server/db/migrations/0023-hours-of-people.ts'
import { addStored, newCell, type StoredCell } from '#server/db/usage/cells.ts'
import { hourSeconds, people, quarterSeconds } from '#server/db/usage/shapes.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { mendHours } from '#server/jobs/mend-hours.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { createDice } from '#server/testing/usage/dice.ts'
import { usageApi } from '#shared/api/usage.ts'

type Row = Insertable<LogsTable>

const start = Date.parse('2026-10-20T03:00:00Z') / 1000
const end = start + 12 * 86_400

let app: TestApp
let admin: SignedIn
const dice = createDice(23)

const someRow = (created_at: number): Row => {
  const user = dice(4)
  return {
    ...emptyLogRow,
    type: 2,
    user_id: 100 + user,
    username: `user-${user}`,
    created_at,
    token_id: user * 2 + dice(2) + 1,
    token_name: `token-${dice(2)}`,
    team_id: dice(3) === 0 ? 7 : 0,
    group: dice(3) === 0 ? 'vip' : 'default',
    model_name: `model-${dice(5)}`,
    channel: 1 + dice(3),
    quota: dice(1000),
    prompt_tokens: dice(1000),
    completion_tokens: dice(1000),
    cost: dice(5) === 0 ? null : dice(500),
    duration_ms: dice(90_000),
    first_byte_ms: dice(4) === 0 ? 0 : 1 + dice(3000),
    outcome: dice(9) === 0 ? 'failed' : 'done',
  }
}

/** Spread over days, and many within an hour, whose times grow long. */
const rows = [
  ...Array.from({ length: 3000 }, () => someRow(start + dice(end - start))),
  ...Array.from({ length: 3000 }, () => someRow(start + 5 * 86_400 + dice(hourSeconds))),
]

beforeAll(async () => {
  app = await startTestApp()
  app.time.now = end * 1000
  admin = await signIn(app, { role: 'admin' })
  for (let at = 0; at < rows.length; at += 300)
    await app.ctx.database.db
      .insertInto('logs')
      .values(rows.slice(at, at + 300))
      .execute()
  await foldLogs(app.ctx)
})
afterAll(() => app.stop())

const keyOf = { user: (row: Row) => row.user_id, token: (row: Row) => row.token_id, team: (row: Row) => row.team_id }
const filters = [
  [{}, () => true],
  [{ team: '7' }, (row: Row) => row.team_id === 7],
  [{ group: 'vip' }, (row: Row) => row.group === 'vip'],
] as const

const ask = (by: keyof typeof keyOf, zone: string, filter: object) =>
  admin.call(usageApi.series, {
    scope: 'all',
    from: start,
    to: end,
    step: 'day',
    time_zone: zone,
    by,
    top: 20,
    first_byte: 'true',
    ...filter,
  })

async function expectExact(zone: string): Promise<void> {
  for (const by of ['user', 'token', 'team'] as const) {
    for (const [filter, wanted] of filters) {
      const { buckets, series } = await ask(by, zone, filter)
      const own = rows.filter(wanted)
      expect(series.map(({ key }) => Number(key)).sort()).toEqual([...new Set(own.map(keyOf[by]))].sort())
      for (const { key, values, first_byte } of series) {
        const days = buckets.map((_, day) =>
          own.filter(
            (row) =>
              String(keyOf[by](row)) === key && buckets.findLastIndex((begin) => begin <= row.created_at) === day,
          ),
        )
        const sums = (value: (row: Row) => number) => days.map((list) => list.reduce((sum, row) => sum + value(row), 0))
        expect(values.requests).toEqual(sums(() => 1))
        expect(values.failed).toEqual(sums((row) => Number(row.outcome === 'failed')))
        expect(values.quota).toEqual(sums((row) => row.quota))
        expect(values.cost).toEqual(sums((row) => row.cost ?? 0))
        for (const [day, list] of days.entries()) {
          const times = list.map((row) => row.first_byte_ms).filter((ms) => ms > 0)
          const exact = times.sort((a, b) => a - b)[Math.ceil(times.length / 2) - 1] ?? 0
          expect(Math.abs((first_byte?.p50_ms[day] ?? 0) - exact)).toBeLessThanOrEqual(exact * 0.05)
        }
      }
    }
  }
}

test.each(['Asia/Shanghai', 'Asia/Kathmandu', 'Europe/Berlin', 'America/Los_Angeles'])(
  'days of %s by person, token and team are the sums over the rows',
  expectExact,
)

type Hour = StoredCell & Record<(typeof people.keys)[number] | 'slot', string | number>

/** The hours as they count, however their times are written. */
async function hours(): Promise<[string, object][]> {
  const found = await sql<Hour>`select * from usage_people where span = ${hourSeconds}`.execute(app.ctx.database.db)
  return found.rows
    .map((row): [string, object] => {
      const { sums, firstByte, duration } = newCell({} as Parameters<typeof newCell>[0])
      addStored({ sums, firstByte, duration } as Parameters<typeof addStored>[0], row)
      const sorted = [firstByte, duration].map((times) => [...times].sort(([a], [b]) => a - b))
      return [JSON.stringify([row.slot, ...people.keys.map((key) => row[key])]), { ...sums, sorted }]
    })
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

test('a database of before gets the hours of people that folding would have made, and answers the same', async () => {
  const { database } = app.ctx
  const { db } = database
  const folded = await hours()
  const answers = await Promise.all(Object.keys(keyOf).map((by) => ask(by as 'user', 'Asia/Shanghai', {})))
  await sql`delete from usage_people where span = ${hourSeconds}`.execute(db)
  await sql`drop index usage_people_team_id_span_slot`.execute(db)
  await sql`delete from migrations where name = ${migration}`.execute(db)
  expect(await migrate(database)).toEqual([migration])
  expect(await hours()).toEqual(folded)
  const { rows: long } = await sql`
    select 1 from usage_people where span = ${hourSeconds} and length(first_byte) > 1000`.execute(db)
  expect(long).toEqual([])
  expect(await Promise.all(Object.keys(keyOf).map((by) => ask(by as 'user', 'Asia/Shanghai', {})))).toEqual(answers)
  await expectExact('Asia/Kathmandu')
})

test.if(onPostgres)('hours that a node of the version before left out are made up for', async () => {
  const { db } = app.ctx.database
  const folded = await hours()
  await sql`delete from usage_people where span = ${hourSeconds} and slot >= ${end - 5 * 86_400} and user_id = 102`.execute(
    db,
  )
  expect(await hours()).not.toEqual(folded)
  await mendHours(app.ctx)
  expect(await hours()).toEqual(folded)
})

test('whole hours of people are read without a quarter hour', async () => {
  await sql`delete from usage_details where span = ${quarterSeconds}`.execute(app.ctx.database.db)
  await expectExact('Asia/Shanghai')
})

test('a token that is gone is called by its last name', async () => {
  const used = (token_name: string, created_at: number): Row => ({
    ...someRow(created_at),
    token_id: 4000,
    token_name,
    quota: 1_000_000_000,
  })
  const names = [used('zebra', start + 86_400), used('ant', end - 2 * hourSeconds), used('bee', end - hourSeconds)]
  await app.ctx.database.db.insertInto('logs').values(names).execute()
  await foldLogs(app.ctx)
  const { list } = await admin.call(usageApi.table, { scope: 'all', by: 'token', from: start, to: end, pagesize: 1 })
  expect(list).toMatchObject([{ key: '4000', label: 'bee' }])
})
