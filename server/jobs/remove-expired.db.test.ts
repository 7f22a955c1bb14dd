import { expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { removeExpired } from './remove-expired.ts'

test('expired sessions go, running ones stay', async () => {
  const app = await borrowApp()
  const now = Math.floor(Date.now() / 1000)
  const { db } = app.ctx.database
  const session = (id_hash: string, expires_at: number) => ({ id_hash, user_id: 1, created_at: now, expires_at })
  await db
    .insertInto('sessions')
    .values([session('old', now - 1), session('new', now + 60)])
    .execute()
  await removeExpired.run(app.ctx)
  const left = await db.selectFrom('sessions').select('id_hash').execute()
  await app.stop()
  expect(left).toEqual([{ id_hash: 'new' }])
})

test('a rate window goes when it is a day old, but never before it has ended', async () => {
  const app = await startTestApp({ env: { RATE_LIMIT_CRITICAL: '30/172800' } })
  const now = Math.floor(Date.now() / 1000)
  const { db } = app.ctx.database
  const windows = [now - 200_000, now - 150_000].map((window) => ({ bucket: 'critical:someone', window, count: 30 }))
  await db.insertInto('rate_windows').values(windows).execute()
  await removeExpired.run(app.ctx)
  const left = await db.selectFrom('rate_windows').select('window').execute()
  await app.stop()
  expect(left).toEqual([{ window: now - 150_000 }])
})
