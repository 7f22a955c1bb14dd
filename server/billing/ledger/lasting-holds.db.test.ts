import { afterAll, beforeAll, expect, test } from 'bun:test'
import { renewLease } from '#server/jobs/keep-lease.ts'
import { sweepHolds } from '#server/jobs/sweep-holds.ts'
import { createCalendar } from '#server/lib/time/calendar.ts'
import { type RelayScene, startingQuota, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'
import { openLedger } from './open-ledger.ts'
import { reconcile } from './reconcile.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
})
afterAll(() => scene.stop())

const party = () => ({ userId: scene.userId, tokenId: scene.tokenId, teamId: 0, memberId: 0 })
const limits = null
const at = () => Math.floor(scene.app.ctx.clock() / 1000)
const held = (id: string, most: number) => ({
  id,
  ...party(),
  least: most,
  wanted: most,
  at: at(),
  limits,
  lasting: true,
})
const paid = (id: string, charge: number) => ({
  id,
  ...party(),
  charge,
  channelId: 0,
  counts: true,
  log: null,
  at: at(),
  admittedAt: at(),
  corrections: [],
})
const drift = () => reconcile(scene.app.ctx.database.db)

/** The ledger of a process that begins after this one was killed. */
const afterKill = () =>
  openLedger(
    { ...scene.app.ctx, nodeId: 'another-node' },
    createCalendar(() => 'UTC'),
  )

test('a hold that lasts outlives its process, is swept by nobody, and is settled once by the next', async () => {
  const { ledger } = scene.app.ctx
  const before = await scene.books()
  expect(await ledger.reserve(held('long-1', 600_000))).toMatchObject({ ok: true, held: 600_000 })
  expect(await ledger.reserve(held('long-2', 600_000))).toMatchObject({ ok: false, lacking: 'user' })
  expect(await drift()).toEqual([])
  await renewLease(scene.app.ctx)
  expect(await sweepHolds(scene.app.ctx)).toBe(0)
  const next = afterKill()
  expect(await next.reserve(held('long-3', 500_000))).toMatchObject({ ok: false, available: startingQuota - 600_000 })
  expect(await next.settle(paid('long-1', 250_000))).toMatchObject({ paid: 250_000, shortfall: 0, lostHold: false })
  expect(await next.settle(paid('long-1', 250_000))).toMatchObject({ paid: 0 })
  expect(await afterKill().settle(paid('long-1', 250_000))).toMatchObject({ paid: 0 })
  const after = await scene.books()
  expect(before.userQuota - after.userQuota).toBe(250_000)
  expect(before.tokenRemain - after.tokenRemain).toBe(250_000)
  expect(after).toMatchObject({ holds: 0, userUsed: 250_000, tokenUsed: 250_000, requests: 1 })
  expect(await drift()).toEqual([])
})

test('it counts on budgets while it is open, and an ordinary request beside it cannot spend it', async () => {
  const { ledger } = scene.app.ctx
  await scene.user.call(api.tokens.update, { id: scene.tokenId, budget: 400_000, budget_period: 'day' })
  const used = await ledger.reserve(held('long-4', 100_000))
  expect(used).toMatchObject({ ok: true })
  expect(await drift()).toEqual([])
  expect(await ledger.reserve({ ...held('short-1', 100_000), lasting: false })).toMatchObject({
    lacking: 'token budget',
  })
  await ledger.settle(paid('long-4', 0))
  expect(await ledger.reserve({ ...held('short-2', 100_000), lasting: false })).toMatchObject({ ok: true })
  await ledger.settle(paid('short-2', 10))
  expect(await drift()).toEqual([])
  await scene.user.call(api.tokens.update, { id: scene.tokenId, budget: 0 })
})

test('it takes no place among the requests that run at one time', async () => {
  const { ledger } = scene.app.ctx
  const parallel = { kind: 'token' as const, id: scene.tokenId, rpm: 0, tpm: 0, parallel: 1 }
  const limited = { now: scene.app.ctx.clock(), tokens: 0, of: [parallel] }
  expect(await ledger.reserve({ ...held('long-5', 10), limits: limited })).toMatchObject({ ok: true })
  expect(await ledger.reserve({ ...held('short-3', 10), lasting: false, limits: limited })).toMatchObject({ ok: true })
  await ledger.settle(paid('short-3', 0))
  await ledger.settle(paid('long-5', 0))
  expect((await scene.books()).holds).toBe(0)
})
