import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'
import { eraseClosedAccounts } from './erase-rows.ts'

let scene: RelayScene
let other: TestApp | null = null
beforeAll(async () => {
  scene = await startRelayScene()
  if (onPostgres) other = await startTestApp({ databaseUrl: scene.app.ctx.config.DATABASE_URL })
  await scene.channel(chatAnswer('hi', { prompt_tokens: 10, completion_tokens: 5 }))
})
afterAll(async () => {
  await other?.stop()
  await scene.stop()
})

const rows = 20_000

/** Tables that say something of an account, and how many rows of them do. */
async function rowsNaming(userId: number, tokenName: string): Promise<Record<string, number>> {
  const { db } = scene.app.ctx.database
  const found: Record<string, number> = {}
  const count = async (name: string, table: string, where: ReturnType<typeof sql>) => {
    const { rows: counted } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where ${where}`.execute(db)
    if (Number(counted[0]?.count) > 0) found[name] = Number(counted[0]?.count)
  }
  for (const table of ['users', 'logs', 'relay_state', 'tokens', 'sessions', 'user_log_totals']) {
    await count(table, table, table === 'users' ? sql`id = ${userId}` : sql`user_id = ${userId}`)
  }
  for (const table of ['logs', 'unlogged_usage', 'usage_details', 'usage_people', 'token_log_totals']) {
    await count(`${table} by name`, table, sql`token_name = ${tokenName}`)
  }
  return found
}

async function writeManyLogs(userId: number): Promise<void> {
  const { db } = scene.app.ctx.database
  const at = Math.floor(Date.now() / 1000)
  for (let done = 0; done < rows; done += 500) {
    const some = Array.from({ length: 500 }, (_, more) => ({
      ...emptyLogRow,
      user_id: userId,
      username: 'ann',
      type: 2,
      created_at: at - ((done + more) % 80_000),
      token_name: `of ann ${more % 40}`,
      model_name: 'gpt-4o',
      quota: 1,
    }))
    await db.insertInto('logs').values(some).execute()
  }
  await foldLogs(scene.app.ctx)
}

test('an account with many rows is closed at once and erased in steps, by whoever goes on', async () => {
  const { ctx } = scene.app
  expect((await scene.chat()).status).toBe(200)
  await writeManyLogs(scene.userId)
  const used = async () => {
    const { rows: sums } = await sql<{
      quota: number
    }>`select sum(quota) as quota from usage_totals where span = 86400`.execute(ctx.database.db)
    return Number(sums[0]?.quota)
  }
  const usedBefore = await used()

  await scene.root.call(api.users.manage, { username: 'ann', action: 'delete' })
  expect((await rowsNaming(scene.userId, 'test')).users).toBeUndefined()
  // The rest is still being erased.
  const left = await ctx.database.db.selectFrom('later_work').select(['kind', 'id']).execute()
  expect(left).toEqual([{ kind: 'erase', id: scene.userId }])
  for (const url of [scene.app.url, other?.url ?? scene.app.url]) {
    const answer = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${scene.key}` } })
    expect(answer.status).toBe(401)
  }
  expect((await scene.user.raw(api.account.self, {})).status).toBe(401)
  const login = await scene.app.client().raw(api.auth.login, { username: 'ann', password: 'password-ann' })
  expect(login.success).toBe(false)

  await eraseClosedAccounts((other ?? scene.app).ctx)
  expect(await rowsNaming(scene.userId, 'test')).toEqual({})
  const names = Array.from({ length: 40 }, (_, at) => rowsNaming(scene.userId, `of ann ${at}`))
  for (const found of await Promise.all(names)) expect(found).toEqual({})
  expect(await ctx.database.db.selectFrom('later_work').selectAll().execute()).toEqual([])
  expect(await used()).toBe(usedBefore)
  expect(await reconcile(ctx.database.db)).toEqual([])
}, 120_000)
