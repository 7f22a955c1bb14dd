import { expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { claimSqliteFile } from '#server/nodes/sole-owner.ts'
import { giveId } from '#server/testing/given-id.ts'
import { withTotp } from '#server/testing/identity-scene.ts'
import { newFolder, runCommand } from '#server/testing/run-command.ts'
import { startServingFolder } from '#server/testing/serving-folder.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

const movedTables = [
  ...(['users', 'tokens', 'channels', 'options', 'ledger_entries', 'teams', 'team_members', 'team_invites'] as const),
  ...(['history', 'history_items', 'totp', 'recovery_codes', 'relay_state', 'usage_details', 'sessions'] as const),
]

const nowhere = 'postgres://relay:hidden@127.0.0.1:1/relay'

test.skipIf(!onPostgres)('a moved server goes on where it stopped', async () => {
  const { scene, dataDir } = await startServingFolder()
  const { db } = scene.app.ctx.database
  for (let at = 0; at < 3; at += 1) await (await scene.chat()).text()
  await foldLogs(scene.app.ctx)
  await scene.chat()
  await scene.root.call(api.options.update, { key: 'SystemName', value: 'Weiche “9¾”' })
  await db.updateTable('logs').set({ content: 'zero\0 and 站' }).where('id', '=', 1).execute()
  const { id: deleted } = await scene.user.call(api.tokens.create, { name: 'short-lived', remain_quota: 5 })
  await scene.user.call(api.tokens.remove, { id: deleted })
  const team = await scene.user.call(api.teams.create, { name: 'movers' })
  await scene.user.call(api.teams.transfer, { id: team.id, quota: 1000 })
  await scene.user.call(api.teams.invite, { id: team.id, role: 'member' })
  await withTotp(scene.app, scene.user)
  await giveId(scene, 'response', 'resp_kept', 1)
  const address = await freshDatabaseUrl()
  const moved = await runCommand(['move', address], { DATA_DIR: dataDir })
  expect(moved.output).toContain('users: 2\n')
  expect(moved.output).toContain('Moved; 0 balances drift')
  expect(moved.code).toBe(0)

  const app = await startTestApp({ databaseUrl: address })
  const target = app.ctx.database.db
  for (const table of movedTables) {
    const all = (from: typeof db) => from.selectFrom(table).selectAll().execute()
    expect((await all(db)).length).toBeGreaterThan(0)
    expect(new Set((await all(target)).map((row) => JSON.stringify(sorted(row))))).toEqual(
      new Set((await all(db)).map((row) => JSON.stringify(sorted(row)))),
    )
  }
  const first = await target.selectFrom('logs').select('content').where('id', '=', 1).executeTakeFirstOrThrow()
  expect(first.content).toBe('zero and 站')
  await foldLogs(app.ctx)
  const root = await app.root()
  expect((await root.call(api.logs.stat, {})).quota).toBe(120)

  const answer = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.key}` },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
  })
  expect(answer.status).toBe(200)
  await root.call(api.users.create, { username: 'late', password: 'password-late' })
  const token = await root.call(api.tokens.create, { name: 'next', remain_quota: 5 })
  expect(token.id).toBe(deleted + 1)
  expect((await root.call(api.logs.stat, {})).quota).toBe(150)
  expect(await reconcile(target)).toEqual([])

  const again = await runCommand(['move', address], { DATA_DIR: dataDir })
  expect(again.output).toContain('has accounts already')
  expect(again.code).toBe(1)
  await app.stop()
  await scene.stop()
})

test.skipIf(!onPostgres)('rows after a move have no number a cleared row had, and count in the totals', async () => {
  const { scene, dataDir } = await startServingFolder()
  for (let at = 0; at < 3; at += 1) await (await scene.chat()).text()
  await foldLogs(scene.app.ctx)
  await scene.root.call(api.logs.clear, { target_timestamp: Math.floor(Date.now() / 1000) + 100 })
  const address = await freshDatabaseUrl()
  expect((await runCommand(['move', address], { DATA_DIR: dataDir })).code).toBe(0)
  const app = await startTestApp({ databaseUrl: address })
  const answer = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.key}` },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
  })
  expect(answer.status).toBe(200)
  await foldLogs(app.ctx)
  const root = await app.root()
  expect((await root.call(api.logs.stat, {})).quota).toBe(30)
  await app.stop()
  await scene.stop()
})

const sorted = (row: object) => Object.fromEntries(Object.entries(row).sort(([a], [b]) => a.localeCompare(b)))

test.skipIf(!onPostgres)('a move that fails in the middle leaves nothing behind', async () => {
  const { scene, dataDir } = await startServingFolder()
  const { db } = scene.app.ctx.database
  await scene.chat()
  const [entry] = await db.selectFrom('ledger_entries').selectAll().where('kind', '=', 'settle').execute()
  if (!entry) throw new Error('nothing was settled')
  const { id: _, ...twice } = entry
  await db.insertInto('ledger_entries').values(twice).execute()
  const address = await freshDatabaseUrl()
  expect(await runCommand(['move', address], { DATA_DIR: dataDir })).toMatchObject({ code: 1 })
  const app = await startTestApp({ databaseUrl: address })
  expect(await app.ctx.database.db.selectFrom('users').select('username').execute()).toEqual([{ username: 'root' }])
  await app.stop()
  await scene.stop()
})

test('a database that is served, missing or elsewhere is not moved, and the password of the target is not shown', async () => {
  const DATA_DIR = newFolder()
  const missing = await runCommand(['move', nowhere], { DATA_DIR })
  expect(missing.output).toContain('There is no database at')
  expect(missing.code).toBe(1)
  const elsewhere = await runCommand(['move', nowhere], { DATA_DIR, DATABASE_URL: nowhere })
  expect(elsewhere.output).toContain('in PostgreSQL already')
  expect(elsewhere.code).toBe(1)
  await runCommand(['migrate'], { DATA_DIR })
  const unreachable = await runCommand(['move', nowhere], { DATA_DIR })
  expect(unreachable.output).toContain('move failed')
  expect(unreachable.output).not.toContain('hidden')
  expect(unreachable.code).toBe(1)
  const disown = claimSqliteFile({ DATABASE_URL: `sqlite:${DATA_DIR}/switchyard.db` })
  const served = await runCommand(['move', nowhere], { DATA_DIR })
  expect(served.output).toContain('Stop it first')
  expect(served.code).toBe(1)
  disown()
})
