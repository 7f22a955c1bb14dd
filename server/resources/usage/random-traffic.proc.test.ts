import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { readUsageMark } from '#server/db/usage/fold.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { freshDatabaseUrl } from '#server/testing/test-database.ts'
import { createDice } from '#server/testing/usage/dice.ts'
import { type Row, usageFaults, type View } from '#server/testing/usage/prove-usage.ts'
import { startTrafficScene, type TrafficScene } from '#server/testing/usage/random-traffic.ts'
import { logsApi } from '#shared/api/logs.ts'
import { usageApi } from '#shared/api/usage.ts'

const at = (text: string) => Date.parse(text) / 1000
/** Clocks went back in Berlin on the 25th. */
const range = { from: at('2026-10-23T18:00:00Z'), to: at('2026-10-26T12:00:00Z') }
const zones = ['Europe/Berlin', 'Asia/Kathmandu']
const requests = 600

let databaseUrl: string
let scene: TrafficScene
let rows: Row[]
let views: View[]

beforeAll(async () => {
  databaseUrl = await freshDatabaseUrl()
  scene = await startTrafficScene(databaseUrl)
  const { root, user, userId, bert, teamId } = scene
  await scene.send(createDice(11), requests, range)
  const { db } = scene.app.ctx.database
  rows = await db.selectFrom('logs').selectAll().where('type', '=', 2).orderBy('id').execute()
  views = [
    { name: 'everything', client: root, scope: 'all', isAdmin: true, holds: () => true },
    { name: 'ann', client: user, scope: 'self', isAdmin: false, holds: (row) => row.user_id === userId },
    { name: 'bert', client: bert, scope: 'self', isAdmin: false, holds: (row) => row.user_id === bert.userId },
    { name: 'team', client: user, scope: `team:${teamId}`, isAdmin: false, holds: (row) => row.team_id === teamId },
  ]
}, 120_000)
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const expectExact = async () => expect(await usageFaults(rows, views, range, zones)).toEqual([])

test('traffic has everything in it', () => {
  expect(rows).toHaveLength(requests)
  for (const outcome of ['done', 'cut', 'failed']) expect(rows.some((row) => row.outcome === outcome)).toBe(true)
  expect(rows.some((row) => row.tried.includes(','))).toBe(true)
  expect(new Set(rows.map((row) => row.group))).toEqual(new Set(['default', 'vip']))
  expect(rows.some((row) => row.team_id !== 0 && row.cached_tokens > 0)).toBe(true)
})

test('before anything is folded every figure is the sum over the rows', expectExact, 60_000)

test('a process that is killed while it folds changes no figure', async () => {
  const { db } = scene.app.ctx.database
  const marks: number[] = []
  for (let round = 1; round <= 5; round++) {
    const file = join(import.meta.dirname, '../../testing/usage/fold-process.ts')
    const child = Bun.spawn([process.execPath, file, databaseUrl], { stdout: 'pipe', stderr: 'inherit' })
    const before = await readUsageMark(db)
    for (;;) {
      const mark = await readUsageMark(db)
      if (mark >= Math.max(before + 20, (round * rows.length) / 10) || child.exitCode !== null) break
      await Bun.sleep(1)
    }
    child.kill('SIGKILL')
    await child.exited
    marks.push(await readUsageMark(db))
  }
  expect(marks.at(-1)).toBeGreaterThan(0)
  await expectExact()
  await foldLogs(scene.app.ctx)
  await expectExact()
}, 120_000)

test('what is charged is what the ledger booked, and the statement says it', async () => {
  const { db } = scene.app.ctx.database
  const entries = await db.selectFrom('ledger_entries').selectAll().where('kind', '=', 'settle').execute()
  const sum = (list: readonly number[]) => list.reduce((all, each) => all + each, 0)
  const quota = sum(rows.map((row) => row.quota))
  expect(sum(entries.map(({ amount, team_amount }) => amount + team_amount))).toBe(0 - quota)
  const { totals } = await scene.root.call(usageApi.summary, { scope: 'all', ...range })
  expect(totals.quota).toBe(quota)
  await scene.option('TimeZone', 'Europe/Berlin')
  for (const [client, scope, paid] of [
    [scene.user, 'self', (row: Row) => row.user_id === scene.userId && row.team_id === 0],
    [scene.bert, 'self', (row: Row) => row.user_id === scene.bert.userId && row.team_id === 0],
    [scene.user, `team:${scene.teamId}`, (row: Row) => row.team_id === scene.teamId],
  ] as const) {
    const paper = await client.call(usageApi.statement, { scope, month: '2026-10' })
    const own = rows.filter(paid)
    const wanted = Map.groupBy(own, (row) => `${row.model_name} ${row.token_name}`)
    const charges = paper.charges.map(({ model, token, quota: each }) => [`${model} ${token}`, each])
    expect(new Map(charges as [string, number][])).toEqual(
      new Map(
        [...wanted]
          .map(([key, list]) => [key, sum(list.map((row) => row.quota))] as const)
          .filter(([, each]) => each > 0),
      ),
    )
    const moved = paper.topups + paper.grants + paper.transfers - sum(own.map((row) => row.quota))
    expect(paper.closing).toBe(paper.opening + moved)
  }
})

test('clearing the log keeps every figure of whole quarter hours', async () => {
  await scene.root.call(logsApi.clear, { target_timestamp: range.to })
  const whole = { from: range.from, to: range.to }
  for (const view of views) {
    const own = rows.filter((row) => view.holds(row))
    const { totals } = await view.client.call(usageApi.summary, { scope: view.scope, ...whole })
    expect(totals).toMatchObject({ requests: own.length, quota: own.reduce((sum, row) => sum + row.quota, 0) })
    const { list } = await view.client.call(usageApi.table, { scope: view.scope, ...whole, by: 'token', pagesize: 100 })
    for (const row of list) {
      const mine = own.filter(({ token_id }) => String(token_id) === row.key)
      expect(row.quota).toBe(mine.reduce((sum, each) => sum + each.quota, 0))
    }
  }
})

test('a plain member asks for neither the team’s figures nor another’s', async () => {
  for (const path of ['summary', 'series', 'table', 'statement']) {
    expect((await scene.bert.fetch(`/api/usage/${path}?scope=team:${scene.teamId}`)).status).toBe(403)
  }
  const { totals } = await scene.bert.call(usageApi.summary, { ...range, username: 'ann' })
  expect(totals.requests).toBe(0)
})
