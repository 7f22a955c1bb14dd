import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { idLength, timeOfId, timeOrderedId } from '#server/lib/random.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { logType } from '#shared/statuses.ts'
import { appendLogs } from './append-logs.ts'
import { emptyLogRow } from './log-columns.ts'
import { requestRow } from './request-ids.ts'

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

const began = 1_794_919_345_678

/** A row as it is written when a request ends. */
async function ended(requestId: string, durationMs: number): Promise<void> {
  const created_at = Math.floor((began + durationMs) / 1000)
  const row = { ...emptyLogRow, type: logType.consumption, request_id: requestId, duration_ms: durationMs, created_at }
  await app.ctx.database.db.transaction().execute((tx) => appendLogs(tx, [row]))
}

test('an id says when it was made; another text does not', () => {
  expect(timeOfId(timeOrderedId(began))).toBe(began)
  for (const text of ['', 'x', '0'.repeat(idLength + 1), 'u'.repeat(idLength)]) expect(timeOfId(text)).toBeNull()
})

test('a request is found however long it took, a slice of a session by its number, a row of another program by its id', async () => {
  const { db } = app.ctx.database
  const found = new Map<string, number>()
  for (const ms of [0, 1, 321, 322, 9321, 9322, 9999, 10_000, 10_321, 10_322, 60_000, 86_400_000])
    found.set(timeOrderedId(began), ms)
  found.set(`${timeOrderedId(began)}.7`, 40)
  found.set('20261117120545123456789abcdefgh', 40)
  for (const [id, ms] of found) await ended(id, ms)
  for (const [id, ms] of found) expect(await requestRow(db, id)).toMatchObject({ request_id: id, duration_ms: ms })
  for (const id of ['', timeOrderedId(began), timeOrderedId(began - 5000), 'nobody'])
    expect(await requestRow(db, id)).toBeUndefined()
})

test.skipIf(onPostgres)(
  'rows that are found by their time are not in the index of ids, and the others are read from it',
  async () => {
    const { db } = app.ctx.database
    const { rows } = await sql<{ detail: string }>`explain query plan select id from logs where request_id = 'a'
    and request_id <> '' and (duration_ms >= 10000 or length(request_id) <> 26)`.execute(db)
    expect(rows.map(({ detail }) => detail).join()).toContain('INDEX logs_late_request_id (request_id=?)')
    const quick = sql`explain query plan select id from logs indexed by logs_late_request_id where request_id = 'a'`
    expect(await quick.execute(db).catch((error: Error) => error.message)).toContain('no query solution')
  },
)
