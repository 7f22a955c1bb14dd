import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Insertable } from 'kysely'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import type { LogsTable } from '#server/db/logs/logs-table.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { createDice } from '#server/testing/usage/dice.ts'
import { logsApi } from '#shared/api/logs.ts'
import type { ArgsOf } from '#shared/contract.ts'

let app: TestApp
let admin: SignedIn
let anna: SignedIn
const now = Date.parse('2026-11-10T12:00:00Z') / 1000
let rows: Insertable<LogsTable>[] = []

beforeAll(async () => {
  app = await borrowApp()
  app.time.now = now * 1000
  admin = await signIn(app, { role: 'admin' })
  anna = await signIn(app, { username: 'anna' })
  await app.ctx.database.db.deleteFrom('logs').execute()
  const dice = createDice(11)
  rows = Array.from({ length: 400 }, () => ({
    ...emptyLogRow,
    type: dice(4) === 0 ? 1 : 2,
    user_id: dice(2) === 0 ? anna.userId : admin.userId,
    created_at: now - dice(4 * 86_400),
    token_name: `token-${dice(3)}`,
    model_name: `model-${dice(3)}`,
    group: dice(3) === 0 ? 'internal' : 'default',
    channel: 1 + dice(3),
    quota: dice(100),
  }))
  await app.ctx.database.db.insertInto('logs').values(rows).execute()
})
afterAll(() => app.stop())

type Filter = ArgsOf<typeof logsApi.list>
type Row = Insertable<LogsTable>

const cases: [string, Filter, (row: Row) => boolean][] = [
  ['all but a model', { model_name: 'model-1', not: 'model_name' }, (row) => row.model_name !== 'model-1'],
  [
    'all but a model and a token',
    { model_name: 'model-1', token_name: 'token-2', not: 'token_name,model_name' },
    (row) => row.model_name !== 'model-1' && row.token_name !== 'token-2',
  ],
  [
    'a channel, all but a group',
    { channel: 2, group: 'internal', not: 'group' },
    (row) => row.channel === 2 && row.group !== 'internal',
  ],
  ['all but a user', { username: 'anna', not: 'username' }, (row) => row.user_id !== anna.userId],
  ['all but nobody', { username: 'nobody', not: 'username' }, () => true],
  [
    'all but a type and a channel',
    { type: 1, channel: 3, not: 'type,channel' },
    (row) => row.type !== 1 && row.channel !== 3,
  ],
  ['nothing turned round', { not: 'model_name,channel' }, () => true],
]

test('a filter that is turned round finds all other rows, on every page, in the total and in the export', async () => {
  for (const fold of [false, true]) {
    if (fold) await foldLogs(app.ctx)
    for (const from of [0, now - 2 * 86_400 - 777]) {
      for (const [name, filter, wanted] of cases) {
        const asked = { ...filter, start_timestamp: from, end_timestamp: now }
        const own = rows.filter((row) => wanted(row) && row.created_at >= from)
        const page = await admin.call(logsApi.list, { ...asked, pagesize: 100, page: 2 })
        expect([name, page.total]).toEqual([name, own.length])
        expect(page.list).toHaveLength(Math.max(0, Math.min(100, own.length - 100)))
        const spent = own.filter(({ type }) => type === 2).reduce((sum, { quota }) => sum + (quota ?? 0), 0)
        if (filter.type === undefined) expect((await admin.call(logsApi.stat, asked)).quota).toBe(spent)
        const query = new URLSearchParams(Object.entries(asked).map(([key, value]) => [key, String(value)]))
        const lines = (await (await admin.fetch(`/api/log/export?format=jsonl&${query}`)).text()).trim().split('\n')
        expect(lines.filter(Boolean)).toHaveLength(own.length)
      }
    }
  }
})

test('a user cannot negate the filter that limits the log to the own rows', async () => {
  const own = rows.filter(({ user_id }) => user_id === anna.userId)
  expect((await anna.call(logsApi.own, { not: 'username,channel' })).total).toBe(own.length)
  const others = own.filter(({ model_name }) => model_name !== 'model-1')
  expect((await anna.call(logsApi.own, { model_name: 'model-1', not: 'username,model_name' })).total).toBe(
    others.length,
  )
  expect((await anna.fetch('/api/log/self?not=user_id')).status).not.toBe(500)
  expect(await anna.raw(logsApi.own, { not: 'user_id' })).toMatchObject({ success: false })
})
