import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { book, bookTo } from '#server/billing/ledger/book.ts'
import type { Ledger, Settlement } from '#server/billing/ledger/ledger.ts'
import { openLedger } from '#server/billing/ledger/open-ledger.ts'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import type { PostgresDatabase } from '#server/db/database.ts'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import { createCalendar } from '#server/lib/time/calendar.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { watchedDatabase } from '#server/testing/watched-database.ts'

describe.if(onPostgres)('a batch decided by what this node remembers', () => {
  let scene: RelayScene
  let ledger: Ledger
  let other: Ledger
  let asked: string[]
  let serial = 0
  beforeAll(async () => {
    scene = await startRelayScene({ quota: 0 })
  })
  beforeEach(() => {
    asked = []
    const { ctx } = scene.app
    const calendar = createCalendar(() => 'UTC')
    const database = watchedDatabase(ctx.database as PostgresDatabase, asked)
    ledger = openLedger({ ...ctx, database, nodeId: 'one' }, calendar)
    other = openLedger({ ...ctx, nodeId: 'two' }, calendar)
  })
  afterEach(async () => {
    expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  })
  afterAll(() => scene.stop())

  const party = () => ({ userId: scene.userId, tokenId: scene.tokenId, teamId: 0, memberId: 0 })
  const at = 1_700_000_000
  const reserve = (by: Ledger, id: string, wanted = 100) =>
    by.reserve({ ...party(), id, least: wanted, wanted, at, limits: null })
  const settle = (by: Ledger, id: string, charge: number, more: Partial<Settlement> = {}) =>
    by.settle({
      ...party(),
      id,
      charge,
      channelId: 0,
      counts: true,
      log: { ...emptyLogRow, type: 2, user_id: scene.userId, request_id: id },
      at,
      admittedAt: at,
      corrections: [],
      ...more,
    })
  const newId = () => `remembered-${++serial}`
  const db = () => scene.app.ctx.database.db
  const setQuota = (quota: number) =>
    db()
      .transaction()
      .execute((tx) => bookTo(tx, { userId: scene.userId, kind: 'admin', quota, ref: newId(), at }))
  const quota = async () => (await scene.books()).userQuota
  const locksOnly = () => asked.filter((text) => text.startsWith('select id, '))

  test('asks nothing first, and is written as if it had', async () => {
    await setQuota(1000)
    const [first, second] = [newId(), newId()]
    await reserve(ledger, first)
    asked.length = 0
    expect(await reserve(ledger, second)).toMatchObject({ ok: true, held: 100 })
    expect(await settle(ledger, first, 30)).toMatchObject({ paid: 30, lostHold: false })
    expect(await settle(ledger, second, 40)).toMatchObject({ paid: 40, before: 970, after: 930 })
    expect(locksOnly()).toEqual([])
    expect(await quota()).toBe(930)
  })

  test('is decided anew when another node has spent meanwhile', async () => {
    await setQuota(250)
    const [own, others] = [newId(), newId()]
    await reserve(ledger, own)
    await reserve(other, others)
    expect(await reserve(ledger, newId())).toMatchObject({ ok: false, lacking: 'user', available: 50 })
    await settle(ledger, own, 100)
    await settle(other, others, 100)
    expect(await quota()).toBe(50)
  })

  test('is decided anew when the balance was raised or a hold taken back', async () => {
    await setQuota(100)
    const id = newId()
    await reserve(ledger, id)
    await db()
      .transaction()
      .execute((tx) => book(tx, { userId: scene.userId, kind: 'top-up', amount: 500, ref: newId(), at }))
    const next = newId()
    expect(await reserve(ledger, next)).toMatchObject({ ok: true })
    // As another node does with the holds of one that gives no sign.
    await settle(other, next, 0, { counts: false, log: null })
    expect(await settle(ledger, next, 70)).toMatchObject({ paid: 70, lostHold: true })
    expect(await settle(ledger, id, 10)).toMatchObject({ paid: 10, lostHold: false })
    expect(await settle(ledger, id, 10)).toMatchObject({ paid: 0 })
    expect(await quota()).toBe(520)
  })

  test('keeps every sum when two nodes spend from one wallet at once', async () => {
    await setQuota(100_000)
    const spend = async (by: Ledger) => {
      const id = newId()
      const held = await reserve(by, id)
      if (held.ok) await settle(by, id, 7)
    }
    const rounds = Array.from({ length: 60 }, (_, round) => spend(round % 3 === 0 ? other : ledger))
    await Promise.all(rounds)
    for (let round = 0; round < 20; round += 1) await spend(round % 2 === 0 ? other : ledger)
    expect(await quota()).toBe(100_000 - 80 * 7)
  })
})
