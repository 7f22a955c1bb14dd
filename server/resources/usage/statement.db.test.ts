import { afterAll, beforeAll, expect, test } from 'bun:test'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { roles } from '#shared/roles.ts'
import { statement } from './statement.service.ts'

const start = Date.parse('2026-10-20T03:00:00Z') / 1000

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

async function spend(tokens: number): Promise<void> {
  const rows = Array.from({ length: 2 * tokens }, (_, at) => ({
    ...emptyLogRow,
    type: 2,
    user_id: 1,
    created_at: start + at,
    token_id: 1 + (at % tokens),
    token_name: `token-${1 + (at % tokens)}`,
    model_name: at < tokens ? 'gpt-4o' : 'a model',
    quota: 1 + at,
  }))
  await app.ctx.database.db.insertInto('logs').values(rows).execute()
  await foldLogs(app.ctx)
}

/** The charges of a month, and how often the database was asked for them. */
async function chargesAsked() {
  let asked = 0
  const { database } = app.ctx
  const counting = database.db.withPlugin({
    transformQuery({ node }) {
      asked += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const ctx = { ...app.ctx, database: { ...database, db: counting } }
  const actor = { id: 1, username: 'root', role: roles.root, status: 1, address: '127.0.0.1', sessionHash: '' }
  const { charges } = await statement(ctx, actor, { scope: 'self', month: '2026-10', format: 'json' })
  return { charges, asked }
}

test('a statement of many tokens is read at once, not token by token', async () => {
  await spend(1)
  const few = await chargesAsked()
  expect(few.charges.map(({ model, token, quota }) => [model, token, quota])).toEqual([
    ['a model', 'token-1', 2],
    ['gpt-4o', 'token-1', 1],
    ['', '', -3],
  ])
  await spend(30)
  const many = await chargesAsked()
  expect(many.charges).toHaveLength(61)
  expect(many.asked).toBe(few.asked)
})
