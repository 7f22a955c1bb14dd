import { afterAll, beforeAll, expect, test } from 'bun:test'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { createDice } from '#server/testing/usage/dice.ts'
import { type FirstByteSeries, usageApi } from '#shared/api/usage.ts'

const start = Date.parse('2026-10-22T00:07:00Z') / 1000
const end = start + 3 * 86_400

let app: TestApp
let admin: SignedIn
const dice = createDice(5)
/** Nobody asked on the second day. */
const rows = Array.from({ length: 900 }, () => ({
  ...emptyLogRow,
  type: 2,
  user_id: 1,
  username: 'root',
  created_at: start + 2 * dice(2) * 86_400 + dice(43_200),
  model_name: `model-${dice(5)}`,
  channel: 1 + dice(2),
  duration_ms: 9000,
  first_byte_ms: dice(5) === 0 ? 0 : 1 + dice(3000),
}))

beforeAll(async () => {
  app = await borrowApp()
  app.time.now = end * 1000
  admin = await signIn(app, { role: 'admin' })
  for (let at = 0; at < rows.length; at += 300)
    await app.ctx.database.db
      .insertInto('logs')
      .values(rows.slice(at, at + 300))
      .execute()
})

afterAll(() => app.stop())

type Wanted = (row: (typeof rows)[number]) => boolean

function expectTimes(found: FirstByteSeries | undefined, buckets: readonly number[], wanted: Wanted): void {
  const times = (from: number, to: number) =>
    rows
      .filter((row) => row.created_at >= from && row.created_at < to && row.first_byte_ms > 0 && wanted(row))
      .map((row) => row.first_byte_ms)
      .sort((a, b) => a - b)
  const near = (value: number | null | undefined, list: number[], share: number) => {
    const exact = list[Math.max(0, Math.ceil(list.length * share) - 1)]
    if (exact === undefined) expect(value).toBeNull()
    else expect(Math.abs((value ?? 0) - exact)).toBeLessThanOrEqual(exact * 0.05)
  }
  expect(found?.p50_ms).toHaveLength(buckets.length)
  for (const [at, from] of buckets.entries()) {
    const list = times(Math.max(from, start), buckets[at + 1] ?? end)
    near(found?.p50_ms[at], list, 0.5)
    near(found?.p95_ms[at], list, 0.95)
  }
  near(found?.period_p50_ms, times(start, end), 0.5)
  near(found?.period_p95_ms, times(start, end), 0.95)
}

test('a series has the first byte of each of its lines, of the rest and of all, before folding and after', async () => {
  for (const fold of [false, true]) {
    if (fold) await foldLogs(app.ctx)
    for (const [step, zone] of [
      ['day', 'Asia/Kathmandu'],
      ['half_hour', 'UTC'],
    ] as const) {
      for (const filter of [{}, { channel: '!2' }]) {
        const asked = { scope: 'all', from: start, to: end, step, time_zone: zone, by: 'model', top: 2 } as const
        const answer = await admin.call(usageApi.series, { ...asked, ...filter, first_byte: 'true' })
        const holds: Wanted = (row) => !('channel' in filter) || row.channel !== 2
        const named = answer.series.map(({ key }) => key)
        expect(named).toHaveLength(3)
        for (const { key, first_byte } of answer.series)
          expectTimes(first_byte, answer.buckets, (row) =>
            key === 'other' ? holds(row) && !named.includes(row.model_name) : holds(row) && row.model_name === key,
          )
        expectTimes(answer.first_byte, answer.buckets, holds)
      }
    }
  }
})

test('together or apart, all lines have the same first byte', async () => {
  const asked = { scope: 'all', from: start, to: end, first_byte: 'true' } as const
  const together = await admin.call(usageApi.series, asked)
  const apart = await admin.call(usageApi.series, { ...asked, by: 'model' })
  expect(together.series[0]?.first_byte).toEqual(together.first_byte)
  expect(apart.first_byte).toEqual(together.first_byte)
})

test('without being asked a series has no times', async () => {
  const text = await (await admin.fetch(`/api/usage/series?scope=all&by=model&from=${start}&to=${end}`)).text()
  expect(text).not.toContain('first_byte')
})

test('a page behind the last one knows how many rows there are', async () => {
  const asked = { scope: 'all', by: 'model', from: start, to: end, pagesize: 2 } as const
  const pages = await Promise.all([1, 3, 4, 90].map((page) => admin.call(usageApi.table, { ...asked, page })))
  expect(pages.map(({ list, total }) => [list.length, total])).toEqual([
    [2, 5],
    [1, 5],
    [0, 5],
    [0, 5],
  ])
})

test('the period before never reaches into the one that is asked for, however long that is', async () => {
  for (const from of [0, 1, start]) {
    const { totals, before } = await admin.call(usageApi.summary, { scope: 'all', from, to: end })
    expect([totals.requests, before.requests]).toEqual([rows.length, 0])
  }
  const again = { scope: 'all', from: end, to: 2 * end - start, compare_from: start } as const
  expect((await admin.call(usageApi.summary, again)).before.requests).toBe(rows.length)
})

test('names with a comma or an exclamation mark are found and left out', async () => {
  const names = ['team a, prod', '!sale']
  const values = names.map((token_name) => ({ ...emptyLogRow, type: 2, user_id: 1, created_at: start, token_name }))
  await app.ctx.database.db.insertInto('logs').values(values).execute()
  const count = async (token_name: string) =>
    (await admin.call(usageApi.summary, { scope: 'all', from: start, to: end, token_name })).totals.requests
  expect(await count('team a\\, prod')).toBe(1)
  expect(await count('team a\\, prod,\\!sale')).toBe(2)
  expect(await count('!team a\\, prod,\\!sale')).toBe(rows.length)
  expect(await count('team a, prod')).toBe(0)
})

test('many series have fewer steps than one', async () => {
  const values = Array.from({ length: 20 }, (_, at) => ({
    ...emptyLogRow,
    type: 2,
    user_id: 1,
    created_at: start,
    model_name: `one-of-many-${at}`,
  }))
  await app.ctx.database.db.insertInto('logs').values(values).execute()
  const asked = { scope: 'all', by: 'model', step: 'half_hour', to: end } as const
  const longest = { ...asked, from: end - 4900 * 1800 }
  expect((await admin.call(usageApi.series, { ...longest, by: 'none' })).buckets.length).toBeGreaterThan(4899)
  expect((await admin.call(usageApi.series, longest)).series).toHaveLength(8)
  const refused = await admin.raw(usageApi.series, { ...longest, top: 19 })
  expect(refused.message).toBe('at most 3000 steps at once; please choose a longer step or a shorter period')
  expect((await admin.call(usageApi.series, { ...asked, from: end - 2900 * 1800, top: 19 })).series).toHaveLength(20)
})

test('a zone that is no whole quarter hours from UTC is refused: nothing would be counted by it exactly', async () => {
  const asked = { scope: 'all', step: 'half_hour', from: start - 86_400, to: end } as const
  const { totals } = await admin.call(usageApi.summary, { scope: 'all', from: asked.from, to: end })
  for (const time_zone of ['+05:45', '-03', 'Asia/Kathmandu', 'utc']) {
    const { series } = await admin.call(usageApi.series, { ...asked, time_zone })
    expect(series[0]?.values.requests?.reduce((sum, each) => sum + each, 0)).toBe(totals.requests)
  }
  for (const time_zone of ['-00:07', '+05:37', '+0501'])
    expect((await admin.raw(usageApi.series, { ...asked, time_zone })).code).toBe('request.invalid')
})
