import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Insertable, sql } from 'kysely'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import { removeLogs } from '#server/db/logs/log-totals.ts'
import type { LogsTable } from '#server/db/logs/logs-table.ts'
import { usageColumns } from '#server/db/usage/cells.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { zoneBuckets } from '#server/lib/time/zone-buckets.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { createDice } from '#server/testing/usage/dice.ts'
import { type UsageBy, usageApi } from '#shared/api/usage.ts'
import type { ArgsOf } from '#shared/contract.ts'

type Row = Insertable<LogsTable>

const at = (text: string) => Date.parse(text) / 1000
/** Clocks went back in Berlin on the 25th. */
const start = at('2026-10-22T00:00:00Z')
const end = at('2026-10-28T00:00:00Z')

let app: TestApp
let admin: SignedIn
let anna: SignedIn
let bert: SignedIn
const rows: Row[] = []

function someRows(dice: (sides: number) => number, count: number): Row[] {
  return Array.from({ length: count }, () => {
    const { userId, username } = dice(3) === 0 ? bert : anna
    const token = 1 + dice(3)
    return {
      ...emptyLogRow,
      type: dice(20) === 0 ? 3 : 2,
      user_id: userId,
      username,
      created_at: start + dice(end - start),
      token_id: userId * 10 + token,
      token_name: `token-${token}`,
      team_id: dice(4) === 0 ? 7 : 0,
      group: dice(3) === 0 ? 'vip' : 'default',
      model_name: `model-${dice(12)}`,
      channel: 1 + dice(3),
      quota: dice(1000),
      prompt_tokens: dice(1000),
      cached_tokens: dice(100),
      completion_tokens: dice(1000),
      cost: dice(5) === 0 ? null : dice(500),
      duration_ms: dice(90_000),
      first_byte_ms: dice(4) === 0 ? 0 : 1 + dice(3000),
      outcome: dice(9) === 0 ? 'failed' : 'done',
    }
  })
}

async function insert(more: Row[]): Promise<void> {
  rows.push(...more)
  for (let i = 0; i < more.length; i += 500) {
    await app.ctx.database.db
      .insertInto('logs')
      .values(more.slice(i, i + 500))
      .execute()
  }
}

beforeAll(async () => {
  app = await borrowApp()
  admin = await signIn(app, { role: 'admin' })
  anna = await signIn(app, { username: 'anna' })
  bert = await signIn(app, { username: 'bert' })
  app.time.now = end * 1000
  const dice = createDice(7)
  await insert(someRows(dice, 1500))
  await foldLogs(app.ctx)
  await insert(someRows(dice, 300))
})
afterAll(() => app.stop())

type Wanted = (row: Row) => boolean
const add = (list: Row[], value: (row: Row) => number) => list.reduce((sum, row) => sum + value(row), 0)

function totals(list: Row[]) {
  const quota = add(list, (row) => row.quota)
  const cost = add(list, (row) => row.cost ?? 0)
  const unknown = add(list, (row) => (row.cost === null ? 1 : 0))
  return {
    requests: list.length,
    failed: add(list, (row) => (row.outcome === 'failed' ? 1 : 0)),
    prompt_tokens: add(list, (row) => row.prompt_tokens),
    cached_tokens: add(list, (row) => row.cached_tokens),
    completion_tokens: add(list, (row) => row.completion_tokens),
    quota,
    cost,
    cost_unknown: unknown,
    profit: quota - cost,
    margin: quota === 0 || (cost === 0 && unknown > 0) ? null : (quota - cost) / quota,
  }
}

const chosen = (from: number, to: number, wanted: Wanted = () => true) =>
  rows.filter((row) => row.type === 2 && row.created_at >= from && row.created_at < to && wanted(row))

const keyOf: Record<Exclude<UsageBy, 'none'>, (row: Row) => string | number> = {
  model: (row) => row.model_name,
  token: (row) => row.token_id,
  user: (row) => row.user_id,
  channel: (row) => row.channel,
  group: (row) => row.group,
  team: (row) => row.team_id,
  payer: (row) => (row.team_id > 0 ? `team:${row.team_id}` : `user:${row.user_id}`),
}

/** Times that lie on no boundary, and some that do. */
const ranges = [
  [start, end],
  [start + 86_400, end - 86_400],
  [start + 12_345, end - 54_321],
  [start + 100, start + 777],
  [at('2026-10-25T00:15:00Z'), at('2026-10-25T00:45:00Z')],
] as const

const filters: [string, Partial<ArgsOf<typeof usageApi.table>>, Wanted][] = [
  ['nothing', {}, () => true],
  ['a model', { model_name: 'model-3' }, (row) => row.model_name === 'model-3'],
  ['all but two models', { model_name: '!model-3,!model-4' }, (row) => !/-[34]$/.test(row.model_name)],
  ['a user and a channel', { username: 'anna', channel: '1,2' }, (row) => row.username === 'anna' && row.channel < 3],
  ['a token name', { token_name: 'token-2' }, (row) => row.token_name === 'token-2'],
  ['a group, not a user', { group: 'vip', username: '!bert' }, (row) => row.group === 'vip' && row.username !== 'bert'],
  ['a team', { team: '7' }, (row) => row.team_id === 7],
  ['all but a team', { team: '!7' }, (row) => row.team_id !== 7],
  ['someone unknown', { username: 'nobody' }, () => false],
]

async function expectExact(): Promise<void> {
  for (const [name, filter, wanted] of filters) {
    for (const [from, to] of ranges) {
      const asked = { scope: 'all', from, to, ...filter }
      const list = chosen(from, to, wanted)
      const summary = await admin.call(usageApi.summary, asked)
      expect({ name, from, ...summary.totals }).toEqual({ name, from, ...totals(list) })
      expect(summary.before).toEqual(totals(chosen(from - (to - from), from, wanted)))
      expect(summary.error_share).toBe(list.length === 0 ? 0 : totals(list).failed / list.length)
    }
  }
  const [from, to] = ranges[2]
  for (const [by, key] of Object.entries(keyOf) as [Exclude<UsageBy, 'none'>, (row: Row) => string | number][]) {
    for (const [name, filter, wanted] of filters) {
      const list = chosen(from, to, wanted)
      const keys = [...new Set(list.map(key))]
      const { list: found, total } = await admin.call(usageApi.table, {
        scope: 'all',
        by,
        from,
        to,
        pagesize: 100,
        ...filter,
      })
      expect([name, by, total]).toEqual([name, by, keys.length])
      for (const row of found) {
        expect(row).toMatchObject(totals(list.filter((each) => String(key(each)) === row.key)))
      }
      const quotas = found.map(({ quota }) => quota)
      expect(quotas).toEqual([...quotas].sort((a, b) => b - a))
    }
  }
}

test('every total and every table equals the sum over the rows', expectExact)

test('folding changes no figure', async () => {
  await foldLogs(app.ctx)
  await expectExact()
})

describe('a series', () => {
  test.each(['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns'])(
    'in %s adds up in every bucket',
    async (zone) => {
      const [from, to] = ranges[2]
      for (const step of ['half_hour', 'hour', 'quarter_day', 'day', 'week', 'month'] as const) {
        const buckets = zoneBuckets(zone, step, { from, to }, 5000) ?? []
        for (const [by, top] of [
          ['none', 7],
          ['model', 3],
          ['user', 7],
          ['channel', 2],
        ] as const) {
          const answer = await admin.call(usageApi.series, { scope: 'all', from, to, step, by, top, time_zone: zone })
          expect(answer.buckets).toEqual(buckets.map(({ start }) => start))
          const named = answer.series.filter(({ key }) => key !== 'other')
          const isOther = (row: Row) => by !== 'none' && !named.some(({ key }) => key === String(keyOf[by](row)))
          for (const { key, values } of answer.series) {
            const sums = buckets.map((bucket) => {
              const { margin: _, ...all } = totals(
                chosen(bucket.from, bucket.to, (row) =>
                  by === 'none' ? true : key === 'other' ? isOther(row) : String(keyOf[by](row)) === key,
                ),
              )
              return all
            })
            for (const [name, list] of Object.entries(values)) {
              expect([key, name, list]).toEqual([key, name, sums.map((each) => each[name as keyof typeof each])])
            }
          }
        }
      }
    },
  )
})

test('percentiles are within five percent', async () => {
  const [from, to] = ranges[2]
  const list = chosen(from, to)
  const exact = (values: number[], share: number) =>
    values.sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0
  const near = (value: number | null, wanted: number) =>
    expect(Math.abs((value ?? 0) - wanted)).toBeLessThanOrEqual(wanted * 0.05)
  const summary = await admin.call(usageApi.summary, { scope: 'all', from, to })
  const bytes = list.map((row) => row.first_byte_ms).filter((ms) => ms > 0)
  near(summary.first_byte_p50_ms, exact(bytes, 0.5))
  near(summary.first_byte_p95_ms, exact(bytes, 0.95))
  near(
    summary.duration_p50_ms,
    exact(
      list.map((row) => row.duration_ms),
      0.5,
    ),
  )
  near(
    summary.duration_p95_ms,
    exact(
      list.map((row) => row.duration_ms),
      0.95,
    ),
  )
  const { list: channels } = await admin.call(usageApi.table, { scope: 'all', by: 'channel', from, to })
  for (const { key, duration_p50_ms } of channels) {
    near(
      duration_p50_ms,
      exact(
        list.filter((row) => row.channel === Number(key)).map((row) => row.duration_ms),
        0.5,
      ),
    )
  }
})

test('own figures are those of what one asked for, without cost, profit and channels', async () => {
  const asked = { from: start, to: end }
  const summary = await anna.call(usageApi.summary, asked)
  const {
    cost: _,
    cost_unknown: __,
    profit: ___,
    margin: ____,
    ...visible
  } = totals(chosen(start, end, (row) => row.username === 'anna'))
  expect(summary.totals).toEqual(visible)
  for (const path of ['summary?', 'table?by=model&', 'series?by=token&']) {
    const text = await (await anna.fetch(`/api/usage/${path}from=${start}&to=${end}`)).text()
    expect(text).not.toMatch(/cost|profit|margin/)
  }
  for (const query of ['scope=all', 'by=channel', 'channel=1', 'order=profit', 'scope=team:7']) {
    expect((await anna.fetch(`/api/usage/table?${query}`)).status).toBe(403)
  }
})

test('what is not logged counts, before it is folded and after', async () => {
  const row = someRows(createDice(3), 1)[0] as Row
  const unlogged = { ...row, created_at: end + 10, cost: 5, outcome: 'done' }
  const values = Object.fromEntries(usageColumns.map((name) => [name, unlogged[name]])) as typeof unlogged
  await app.ctx.database.db.insertInto('unlogged_usage').values(values).execute()
  const ask = () => admin.call(usageApi.summary, { scope: 'all', from: end, to: end + 60 })
  expect((await ask()).totals).toEqual(totals([unlogged]))
  await foldLogs(app.ctx)
  expect((await ask()).totals).toEqual(totals([unlogged]))
})

test('clearing the log keeps the figures, also of rows that were not folded yet', async () => {
  await insert(someRows(createDice(91), 50))
  await app.ctx.database.db.transaction().execute((tx) => removeLogs(tx, sql`created_at < ${end}`))
  const summary = await admin.call(usageApi.summary, { scope: 'all', from: start, to: end })
  expect(summary.totals).toEqual(totals(chosen(start, end)))
  const { list } = await admin.call(usageApi.table, { scope: 'all', by: 'user', from: start, to: end })
  for (const row of list)
    expect(row).toMatchObject(totals(chosen(start, end, ({ user_id }) => user_id === Number(row.key))))
})
