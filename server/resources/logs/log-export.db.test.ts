import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { sql } from 'kysely'
import { borrowApp } from '#server/testing/borrow-app.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { LogFilter } from '#shared/api/logs.ts'
import { exportLog } from './log-export.ts'
import { selectionForAdmin } from './logs.service.ts'

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

test('a file that cannot be written to its end breaks off, and the server says why', async () => {
  const { db } = app.ctx.database
  const logged = spyOn(app.ctx.log, 'error')
  const selection = await selectionForAdmin(app.ctx, LogFilter.parse({}))
  await sql`alter table logs rename to logs_away`.execute(db)
  await expect(exportLog(app.ctx, selection, 'csv', 'everything').text()).rejects.toThrow()
  await sql`alter table logs_away rename to logs`.execute(db)
  expect(logged.mock.calls.map(([, facts]) => facts?.where)).toEqual(['the export of a log'])
  logged.mockRestore()
})
