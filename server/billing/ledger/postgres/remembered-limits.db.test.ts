import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { bookTo } from '#server/billing/ledger/book.ts'
import type { Ledger } from '#server/billing/ledger/ledger.ts'
import { openLedger } from '#server/billing/ledger/open-ledger.ts'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import type { PostgresDatabase } from '#server/db/database.ts'
import { createCalendar } from '#server/lib/time/calendar.ts'
import { ageLimits } from '#server/testing/age-limits.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { watchedDatabase } from '#server/testing/watched-database.ts'
import type { Limits } from '#shared/limits.ts'

describe.if(onPostgres)('limits this node remembers', () => {
  let scene: RelayScene
  let ledger: Ledger
  let other: Ledger
  let asked: string[]
  let serial = 0
  beforeAll(async () => {
    scene = await startRelayScene({ quota: 0 })
    await scene.app.ctx.database.db
      .transaction()
      .execute((tx) => bookTo(tx, { userId: scene.userId, kind: 'admin', quota: 1_000_000, ref: 'plenty', at }))
  })
  beforeEach(() => {
    asked = []
    const calendar = createCalendar(() => 'UTC')
    const { ctx } = scene.app
    const database = watchedDatabase(ctx.database as PostgresDatabase, asked)
    ledger = openLedger({ ...ctx, database, nodeId: 'one' }, calendar)
    other = openLedger({ ...ctx, nodeId: 'two' }, calendar)
  })
  afterEach(async () => {
    await giveBack()
    expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  })
  afterAll(() => scene.stop())

  const at = 1_700_000_000
  const party = () => ({ userId: scene.userId, tokenId: scene.tokenId, teamId: 0, memberId: 0 })
  const newId = () => `limited-${++serial}`
  /** A token of its own for each test, as far as limits are concerned. */
  let limitedId = 1000
  const limitsOf = (limits: Partial<Limits> & { id?: number }) => {
    limitedId += 1
    const one = { kind: 'token' as const, id: limitedId, rpm: 0, tpm: 0, parallel: 0, ...limits }
    return (by: Ledger, tokens = 10, id = newId()) => {
      opened.push(id)
      return by.reserve({ ...party(), id, least: 5, wanted: 5, at, limits: { now: 0, tokens, of: [one] } })
    }
  }
  let opened: string[] = []
  const giveBack = async () => {
    for (const id of opened) await settle(other, id)
    opened = []
  }
  const settle = (by: Ledger, id: string, corrections: Parameters<Ledger['settle']>[0]['corrections'] = []) =>
    by.settle({ ...party(), id, charge: 0, channelId: 0, counts: true, log: null, at, admittedAt: at, corrections })
  /** Until it took one statement; on a busy machine what is taken for the clock may be too late. */
  const byOneStatement = (work: () => unknown) =>
    eventually(
      async () => {
        asked.length = 0
        await work()
        return asked.length
      },
      (statements) => statements === 1,
    )

  test('let requests in and settle them by one statement each', async () => {
    const reserve = limitsOf({ id: scene.tokenId, rpm: 1000, tpm: 100_000, parallel: 1000 })
    const key = `token:${scene.tokenId}`
    await byOneStatement(() => reserve(ledger))
    await byOneStatement(async () => {
      const id = newId()
      const held = await reserve(ledger, 10, id)
      asked.length = 0
      if (held.ok && held.limits) await settle(ledger, id, [{ key, at: held.limits.at, difference: -5 }])
    })
  })

  test('let in no more than they allow', async () => {
    const reserve = limitsOf({ rpm: 4 })
    for (let request = 0; request < 4; request += 1) expect((await reserve(ledger)).ok).toBe(true)
    expect(await reserve(ledger)).toMatchObject({ ok: false, lacking: 'limit', by: { limit: 'rpm', value: 4 } })
  })

  test('know what another node has let in meanwhile', async () => {
    const reserve = limitsOf({ rpm: 4 })
    for (const by of [ledger, ledger, other, other]) expect((await reserve(by)).ok).toBe(true)
    expect(await reserve(ledger)).toMatchObject({ ok: false, by: { limit: 'rpm' } })
    expect(await reserve(other)).toMatchObject({ ok: false, by: { limit: 'rpm' } })
    await ageLimits(scene.app.ctx.database.db, 61)
    for (const by of [other, ledger, other, ledger]) expect((await reserve(by)).ok).toBe(true)
    expect((await reserve(other)).ok).toBe(false)
  })

  test('put the usage in the place of the estimate', async () => {
    const reserve = limitsOf({ tpm: 100 })
    const ids = [newId(), newId()] as const
    expect((await reserve(ledger, 40, ids[0])).ok).toBe(true)
    const second = await reserve(ledger, 40, ids[1])
    if (!second.ok || !second.limits) throw new Error('refused')
    expect((await reserve(ledger, 40)).ok).toBe(false)
    await settle(ledger, ids[1], [{ key: `token:${limitedId}`, at: second.limits.at, difference: -30 }])
    const third = await reserve(ledger, 40)
    expect(third).toMatchObject({ ok: true, limits: { tokens: { remaining: 10 } } })
  })

  test('never let in more at one time, whichever node asks', async () => {
    // Holds count on the token they are of.
    const reserve = limitsOf({ id: scene.tokenId, parallel: 3 })
    const both = (request: number) => reserve(request % 2 === 0 ? ledger : other)
    const results = await Promise.all(Array.from({ length: 20 }, (_, request) => both(request)))
    expect(results.filter(({ ok }) => ok)).toHaveLength(3)
    for (const by of [ledger, other]) expect(await reserve(by)).toMatchObject({ ok: false, by: { limit: 'parallel' } })
    await giveBack()
    for (const by of [ledger, ledger, other]) expect((await reserve(by)).ok).toBe(true)
    for (const by of [ledger, other]) expect((await reserve(by)).ok).toBe(false)
  })
})
