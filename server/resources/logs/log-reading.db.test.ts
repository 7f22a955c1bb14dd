import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Insertable, sql } from 'kysely'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import { removeLogs } from '#server/db/logs/log-totals.ts'
import type { LogsTable } from '#server/db/logs/logs-table.ts'
import { expireLogs } from '#server/jobs/expire-logs.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { type Log, logsApi } from '#shared/api/logs.ts'
import { usageApi } from '#shared/api/usage.ts'

let app: TestApp
let admin: SignedIn
let anna: SignedIn
const now = Date.parse('2026-11-10T12:00:00Z') / 1000

const request = (more: Partial<Insertable<LogsTable>> = {}): Insertable<LogsTable> => ({
  ...emptyLogRow,
  type: 2,
  user_id: anna.userId,
  username: 'anna',
  model_name: 'gpt-4o',
  created_at: now,
  channel: 9,
  tried: '8,9',
  quota: 10,
  cost: 4,
  outcome: 'done',
  ...more,
})

const insert = (...rows: Insertable<LogsTable>[]) => app.ctx.database.db.insertInto('logs').values(rows).execute()
const clear = () => app.ctx.database.db.transaction().execute((tx) => removeLogs(tx, sql`1 = 1`))

beforeAll(async () => {
  app = await borrowApp()
  app.time.now = now * 1000
  admin = await signIn(app, { role: 'admin' })
  anna = await signIn(app, { username: 'anna' })
})
afterAll(() => app.stop())

describe('the export', () => {
  test('holds every row once, newest first, as CSV and as JSON lines', async () => {
    await clear()
    const rows = Array.from({ length: 1300 }, (_, at) => request({ created_at: now - at * 613, request_id: `r${at}` }))
    for (let at = 0; at < rows.length; at += 500) await insert(...rows.slice(at, at + 500))
    const answer = await admin.fetch('/api/log/export?format=jsonl&model_name=gpt-4o')
    expect(answer.headers.get('content-disposition')).toContain('.jsonl')
    const lines = (await answer.text()).trim().split('\n')
    const parsed = lines.map((line) => JSON.parse(line) as Log)
    expect(parsed.map(({ request_id }) => request_id)).toEqual(rows.map(({ request_id }) => request_id ?? ''))
    expect(parsed[0]).toMatchObject({ channel: 9, cost: 4, tried: [8, 9] })
    const csv = await (await admin.fetch('/api/log/export')).text()
    const [head = '', ...body] = csv.trim().split('\r\n')
    expect(head.replaceAll('"', '').split(',').slice(0, 4)).toEqual(['id', 'user_id', 'created_at', 'type'])
    expect(body).toHaveLength(1300)
  })

  test('is sent while it is read, and holds up nobody', async () => {
    await clear()
    const rows = Array.from({ length: 6000 }, (_, at) => request({ created_at: now - at, content: 'x'.repeat(400) }))
    for (let at = 0; at < rows.length; at += 500) await insert(...rows.slice(at, at + 500))
    const answer = await admin.fetch('/api/log/export')
    const reader = answer.body?.getReader()
    await reader?.read()
    // Nobody reads on, and the rest of the program goes on.
    expect((await anna.call(logsApi.own, {})).total).toBe(6000)
    await insert(request({ content: 'later' }))
    let bytes = 0
    for (;;) {
      const part = await reader?.read()
      if (!part || part.done) break
      bytes += part.value.length
    }
    expect(bytes).toBeGreaterThan(5000 * 400)
  })

  test('lets others do their work after every step', async () => {
    await clear()
    const rows = Array.from({ length: 3000 }, (_, at) => request({ created_at: now - at }))
    for (let at = 0; at < rows.length; at += 500) await insert(...rows.slice(at, at + 500))
    let turns = 0
    let isOver = false
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const text = await (await admin.fetch('/api/log/export')).text()
    isOver = true
    expect(text.trim().split('\r\n')).toHaveLength(3001)
    expect(turns).toBeGreaterThan(20)
  })

  test('of the own log has neither channels nor cost, and nobody else’s rows', async () => {
    await clear()
    await insert(request(), request({ user_id: admin.userId, username: 'someone' }))
    for (const format of ['csv', 'jsonl']) {
      const text = await (await anna.fetch(`/api/log/self/export?format=${format}&username=someone`)).text()
      expect(text).not.toMatch(/cost|someone|8,9/)
      expect(text.trim().split('\n')).toHaveLength(format === 'csv' ? 2 : 1)
    }
    expect((await anna.fetch('/api/log/export')).status).toBe(403)
    expect((await app.client().fetch('/api/log/self/export')).status).toBe(401)
  })

  test('makes cells harmless that a spreadsheet would run', async () => {
    await clear()
    for (const content of [
      '=HYPERLINK("http://x")',
      '+1',
      '-2+3',
      '@SUM(A1)',
      '\t=1',
      ' =1',
      '＝1+1',
      'a "quoted", one',
    ]) {
      await insert(request({ content }))
    }
    const csv = await (await admin.fetch('/api/log/export')).text()
    const cells = [...csv.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell = '']) => cell)
    for (const cell of cells) expect(cell).not.toMatch(/^\s*[=+\-@＝]/)
    expect(csv).toContain(`"'=HYPERLINK(""http://x"")"`)
    expect(csv).toContain('"a ""quoted"", one"')
  })
})

describe('following the log', () => {
  /** Reads on until nothing is new. */
  async function follow(client: SignedIn, from: number, path: 'list' | 'own' = 'list'): Promise<Log[]> {
    const seen: Log[] = []
    for (let after = from; ; ) {
      const { list } = await client.call(logsApi[path], { after_id: after, pagesize: 100 })
      if (list.length === 0) return seen
      seen.push(...(list as Log[]))
      after = list.at(-1)?.id ?? after
    }
  }

  test('shows what is new, oldest first, each row once, while many write at once', async () => {
    await clear()
    await insert(request())
    const [{ id: start }] = (await admin.call(logsApi.list, {})).list as [Log]
    const seen: number[] = []
    let after = start
    let writing = true
    const reader = (async () => {
      for (;;) {
        const isLast = !writing
        const rows = await follow(admin, after)
        seen.push(...rows.map(({ id }) => id))
        after = rows.at(-1)?.id ?? after
        if (isLast) return
      }
    })()
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let round = 0; round < 10; round++) {
          await app.ctx.database.db.transaction().execute(async (tx) => {
            await tx.insertInto('logs').values([request(), request()]).execute()
            await tx.insertInto('logs').values(request()).execute()
          })
        }
      }),
    )
    writing = false
    await reader
    const written = await app.ctx.database.db
      .selectFrom('logs')
      .select('id')
      .where('id', '>', start)
      .orderBy('id')
      .execute()
    expect(seen).toEqual(written.map(({ id }) => id))
    expect(seen).toHaveLength(240)
  })

  test('goes on after the log was cleared', async () => {
    const before = (await admin.call(logsApi.list, {})).list[0]?.id ?? 0
    await clear()
    await insert(request({ content: 'after' }))
    expect((await follow(admin, before)).map(({ content }) => content)).toEqual(['after'])
    expect(await follow(anna, before, 'own')).toHaveLength(1)
  })
})

describe('one request', () => {
  const route = JSON.stringify({
    reserve: 500,
    tries: [
      { channel: 8, duration_ms: 120, fault: { status: 401, message: 'key of acme is wrong', internal: true } },
      { channel: 9, duration_ms: 80, fault: null },
    ],
    candidates: '8f:anything',
  })

  test('is shown with its tries, its hold and its charge', async () => {
    const detail = JSON.stringify({ charge: { by: 'tokens', modelRatio: 1 } })
    await insert(request({ request_id: 'traced', route, detail }))
    const seen = await admin.call(logsApi.request, { request_id: 'traced' })
    expect(seen).toMatchObject({ reserve: 500, charge: { by: 'tokens' }, row: { cost: 4, channel: 9 } })
    expect(seen.tries[0]).toEqual({
      channel: 8,
      duration_ms: 120,
      fault: { status: 401, message: 'key of acme is wrong' },
    })
    const own = await anna.call(logsApi.request, { request_id: 'traced' })
    expect(own.tries.map(({ channel }) => channel)).toEqual([0, 0])
    expect(own.candidates).toEqual([{ channel_id: 0, state: 'first', reason: 'anything' }])
    expect(JSON.stringify(own)).not.toMatch(/acme|"cost"/)
  })

  test('is nobody else’s business', async () => {
    const bert = await signIn(app)
    expect((await bert.raw(logsApi.request, { request_id: 'traced' })).message).toBe(
      'There is no such request in the log',
    )
    expect((await admin.raw(logsApi.request, { request_id: 'none' })).success).toBe(false)
  })
})

test('failed and slow requests are found', async () => {
  await clear()
  await insert(
    request(),
    request({ outcome: 'failed', content: 'why' }),
    request({ duration_ms: 30_000, group: 'vip' }),
  )
  await foldLogs(app.ctx)
  expect((await anna.call(logsApi.own, { outcome: 'failed' })).list.map(({ content }) => content)).toEqual(['why'])
  expect((await admin.call(logsApi.list, { slow: 'true' })).total).toBe(1)
  expect((await admin.call(logsApi.list, { group: 'vip', username: 'anna' })).total).toBe(1)
  expect(await admin.call(logsApi.stat, { outcome: 'failed' })).toMatchObject({ quota: 10 })
})

test('rows past their time go, the figures stay', async () => {
  await clear()
  const day = 86_400
  const old = (at: number) => request({ model_name: 'old', created_at: at })
  await insert(old(now - 3 * day), old(now - 2 * day + 5), old(now))
  await setOptions(app, { LogRetentionDays: '2' })
  await expireLogs(app.ctx)
  expect((await admin.call(logsApi.list, {})).total).toBe(2)
  const asked = { scope: 'all', model_name: 'old', from: now - 4 * day, to: now - 2 * day }
  const { totals } = await admin.call(usageApi.summary, asked)
  expect(totals).toMatchObject({ requests: 1, quota: 10, cost: 4 })
})
