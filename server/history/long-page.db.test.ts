import { afterAll, beforeAll, expect, test } from 'bun:test'
import { restorers } from '#server/restorers.ts'
import { type HistoryScene, historyScene } from '#server/testing/history-scene.ts'
import { api } from '#shared/api/all.ts'
import { listEntries } from './store.ts'
import { presentEntries } from './view.ts'

let scene: HistoryScene
beforeAll(async () => {
  scene = await historyScene()
})
afterAll(() => scene.app.stop())

test('while a page of large entries is made, others have their turn after each', async () => {
  const { app, root } = scene
  for (let entry = 0; entry < 20; entry++)
    await root.call(api.redemptions.create, { name: 'many', quota: 1, count: 100 })
  const self = await root.call(api.account.self, {})
  const actor = { id: self.id, username: self.username, role: self.role, address: '' }
  const filter = { actor: '', target: '', from: undefined, to: undefined, page: 1, pagesize: 20 }
  const rows = await listEntries(app.ctx.database.db, filter)
  let turns = 0
  let isMaking = true
  const takeTurn = () => {
    turns += 1
    if (isMaking) setImmediate(takeTurn)
  }
  setImmediate(takeTurn)
  const shown = await presentEntries(app.ctx, restorers, actor, rows)
  isMaking = false
  expect(shown.map(({ count }) => count)).toEqual(rows.map(() => 100))
  expect(turns).toBeGreaterThanOrEqual(rows.length)
})
