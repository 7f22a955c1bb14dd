import { afterAll, beforeAll, expect, test } from 'bun:test'
import { closing, createPayer, holdOf, quotaOf } from '#server/testing/settlements.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import type { HoldResult } from './ledger.ts'
import { reconcile } from './reconcile.ts'

const balance = 1000
const turns = 100

let nodes: TestApp[]
beforeAll(async () => {
  const first = await startTestApp()
  const databaseUrl = first.ctx.config.DATABASE_URL
  nodes = onPostgres ? [first, await startTestApp({ databaseUrl })] : [first]
  await createPayer(first.ctx.database.db, balance)
})
afterAll(async () => {
  for (const node of nodes.toReversed()) await node.stop()
})

test('what a settlement gives back is held again before anybody else can take it', async () => {
  const [first] = nodes
  if (!first) throw new Error('there is no node')
  const { ledger, database } = first.ctx
  let hold = holdOf(balance)
  expect(await ledger.reserve(hold)).toMatchObject({ ok: true, held: balance })

  let isOver = false
  const took: HoldResult[] = []
  const takers = nodes.map(async ({ ctx }) => {
    while (!isOver) {
      const taken = await ctx.ledger.reserve(holdOf(1))
      if (taken.ok) took.push(taken)
      await Bun.sleep(0)
    }
  })
  for (let turn = 1; turn <= turns; turn += 1) {
    const next = { ...holdOf(balance), least: 0 }
    const charge = turn % 2
    const { settled, held } = await ledger.renew(closing(hold.id, charge), next)
    expect(settled).toMatchObject({ paid: charge, shortfall: 0, lostHold: false })
    expect(held).toMatchObject({ ok: true, held: balance - Math.ceil(turn / 2) })
    hold = next
  }
  isOver = true
  await Promise.all(takers)
  expect(took).toEqual([])
  await ledger.settle(closing(hold.id, 0))
  expect(await quotaOf(database.db)).toBe(balance - turns / 2)
  expect(await reconcile(database.db)).toEqual([])
})
