import { afterAll, beforeAll, expect, test } from 'bun:test'
import { epochSeconds } from '#server/context.ts'
import { readRefused } from '#server/db/refused-models.ts'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { eventually } from '#server/testing/eventually.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { createRefusedModels } from './count-refused.ts'

let app: TestApp
beforeAll(async () => {
  app = await borrowApp()
})
afterAll(() => app.stop())

test('a flood of refused requests is counted to the last one by a few writes', async () => {
  const { ctx } = app
  let writes = 0
  const { db } = ctx.database
  const watched = new Proxy(db, {
    get(target, name) {
      if (name === 'insertInto') writes += 1
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const refused = createRefusedModels({ ...ctx, database: { ...ctx.database, db: watched } })
  const began = performance.now()
  for (let at = 0; at < 300; at += 1) {
    refused.count('unpriced')
    await Bun.sleep(0)
  }
  const most = 2 + (performance.now() - began) / 200
  expect(writes).toBeLessThanOrEqual(most)
  await eventually(
    async () => (await readRefused(db, epochSeconds(ctx))).get('unpriced'),
    (count) => count === 300,
  )
})
