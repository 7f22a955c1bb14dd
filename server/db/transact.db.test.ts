import { expect, test } from 'bun:test'
import { eventually } from '#server/testing/eventually.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { transact } from './transact.ts'

test('however much a transaction changes, all nodes learn of it', async () => {
  const databaseUrl = await freshDatabaseUrl()
  const one = await startTestApp({ databaseUrl })
  const other = onPostgres ? await startTestApp({ databaseUrl }) : one
  const learned = new Set<number>()
  other.ctx.changes.listen(({ topic, id }) => {
    if (topic === 'token' && id !== undefined) learned.add(id)
  })
  const ids = Array.from({ length: 2000 }, (_, at) => Number.MAX_SAFE_INTEGER - at)
  await transact(one.ctx, async (_, announce) => {
    for (const id of ids) announce({ topic: 'token', id })
  })
  const all = await eventually(
    () => learned.size,
    (size) => size === ids.length,
  )
  expect(all).toBe(ids.length)
  await one.stop()
  if (other !== one) await other.stop()
})
