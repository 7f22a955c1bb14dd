import { expect, test } from 'bun:test'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { closing, createPayer, holdOf, logOf, payer } from '#server/testing/settlements.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { freshDatabaseUrl } from '#server/testing/test-database.ts'
import type { LimitedKind } from './limit-check.ts'

const none = { rpm: 0, tpm: 0, parallel: 0 }

const limitedBy = ({ ctx }: TestApp, kind: LimitedKind, id: number, limits: Partial<typeof none>) => ({
  now: ctx.clock(),
  tokens: 5,
  of: [{ kind, id, ...none, ...limits }],
})

/** A request that ends now and was admitted so long ago. */
async function spend(app: TestApp, unlogged: boolean, duration_ms = 0): Promise<void> {
  const limits = limitedBy(app, 'token', payer.tokenId, { rpm: 100 })
  const request = { ...holdOf(1), limits: duration_ms > 0 ? null : limits }
  await app.ctx.ledger.reserve(request)
  const created_at = Math.floor(app.ctx.clock() / 1000)
  const log = logOf(request.id, { created_at, duration_ms })
  await app.ctx.ledger.settle({ ...closing(request.id, 1, log), unlogged })
}

test.each([false, true])('a start forgets nothing of the last minute (log switched off: %p)', async (unlogged) => {
  const databaseUrl = await freshDatabaseUrl()
  const before = await startTestApp({ databaseUrl })
  await createPayer(before.ctx.database.db, 1000)
  await spend(before, unlogged)
  await spend(before, unlogged)
  await spend(before, unlogged, 62_000)
  await foldLogs(before.ctx)
  await before.stop()
  const after = await startTestApp({ databaseUrl })
  const { ledger } = after.ctx
  expect(await ledger.limitUse('token', payer.tokenId, after.ctx.clock())).toMatchObject({ requests: 2 })
  const refused = { ok: false, lacking: 'limit', by: { kind: 'token', limit: 'rpm', value: 2 } }
  const limits = limitedBy(after, 'token', payer.tokenId, { rpm: 2 })
  expect(await ledger.reserve({ ...holdOf(1), limits })).toMatchObject(refused)
  const more = limitedBy(after, 'token', payer.tokenId, { rpm: 3 })
  expect(await ledger.reserve({ ...holdOf(1), limits: more })).toMatchObject({ ok: true })
  await after.stop()
})
