import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import type { Ledger, Settlement } from '#server/billing/ledger/ledger.ts'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventually } from '#server/testing/eventually.ts'
import { expectCharge, expectFree } from '#server/testing/expect-charge.ts'
import { chatAnswer, chatStream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
let real: Ledger
beforeAll(async () => {
  scene = await startRelayScene()
  real = { ...scene.app.ctx.ledger }
})
afterEach(async () => {
  Object.assign(scene.app.ctx.ledger, real)
  scene.app.time.now = null
  await scene.clear()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const usage = { prompt_tokens: 10, completion_tokens: 5 }
const gone = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

let settlements = 0

/** Settlements fail `times` times, longer than the relay is willing to wait; `happens` says whether they took place. */
function loseSettlements(times: number, happens = false, error: Error = gone()): void {
  let left = times
  settlements = 0
  const settle: Ledger['settle'] = async (settlement) => {
    settlements += 1
    if (left-- <= 0) return real.settle(settlement)
    if (happens) await real.settle(settlement)
    scene.app.time.now = (scene.app.time.now ?? Date.now()) + 10_000
    throw error
  }
  Object.assign(scene.app.ctx.ledger, { settle })
}

describe('a database that is gone', () => {
  test('when money is to be held: 503, and the upstream is not asked', async () => {
    const channel = await scene.channel(chatAnswer('hello', usage))
    Object.assign(scene.app.ctx.ledger, { reserve: () => Promise.reject(gone()) })
    const response = await scene.chat()
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('service_unavailable')
    expect(channel.seen).toEqual([])
  })

  test('when an answer is to be paid: what could not be paid is not shown, and is free', async () => {
    await scene.channel(chatAnswer('hello', usage))
    loseSettlements(1)
    const bill = await scene.bill(async () => {
      const response = await scene.chat()
      expect(response.status).toBe(503)
      expect(await response.text()).not.toContain('hello')
    })
    expectFree(bill, { outcome: 'failed' })
  })

  test('for a moment only: the answer waits and is billed once', async () => {
    await scene.channel(chatAnswer('hello', usage))
    let failures = 3
    const settle: Ledger['settle'] = (settlement) => (failures-- > 0 ? Promise.reject(gone()) : real.settle(settlement))
    Object.assign(scene.app.ctx.ledger, { settle })
    expectCharge(await scene.bill(async () => expect((await scene.chat()).status).toBe(200)), 30)
  })

  test('at the end of a stream: the client gets an error, and what was delivered is charged when it is back', async () => {
    await scene.channel(chatStream(['hel', 'lo'], usage))
    loseSettlements(1)
    const bill = await scene.bill(async () => {
      const text = await (await scene.chat({ stream: true })).text()
      expect(text).toContain('service_unavailable')
      expect(text).not.toContain('[DONE]')
    })
    expectCharge(bill, 30, { outcome: 'failed' })
  })

  test('in the moment after it has written the settlement: nobody pays twice', async () => {
    await scene.channel(chatStream(['hel', 'lo'], usage))
    loseSettlements(1, true)
    const bill = await scene.bill(async () => {
      await (await scene.chat({ stream: true })).text()
      await eventually(
        () => settlements,
        (count) => count > 1,
      )
    })
    expectCharge(bill, 30)
  })

  test('because its disk fails: 503, and the hold is given back when the disk works again', async () => {
    await scene.channel(chatAnswer('hello', usage))
    loseSettlements(2, false, Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' }))
    const bill = await scene.bill(async () => expect((await scene.chat()).status).toBe(503))
    expectFree(bill, { outcome: 'failed' })
  })
})

test('a settlement that fails for a reason nobody foresaw is tried again', async () => {
  await scene.channel(chatStream(['hel', 'lo'], usage))
  loseSettlements(2, false, new Error('nobody foresaw this'))
  const bill = await scene.bill(async () => (await scene.chat({ stream: true })).text())
  expectCharge(bill, 30, { outcome: 'failed' })
})

test('a settlement the database refuses is not tried again', async () => {
  await scene.channel(chatAnswer('hello', usage))
  const { ledger, log } = scene.app.ctx
  const refused: Settlement[] = []
  const settle: Ledger['settle'] = async (settlement) => {
    refused.push(settlement)
    throw Object.assign(new Error('a check'), { code: 'SQLITE_CONSTRAINT_CHECK' })
  }
  const givenUp = Promise.withResolvers<void>()
  const error = spyOn(log, 'error').mockImplementation((message) => {
    if (message === 'a request could not be settled') givenUp.resolve()
  })
  Object.assign(ledger, { settle })
  const bill = await scene.bill(async () => {
    expect((await scene.chat()).status).toBe(500)
    await givenUp.promise
    for (const settlement of refused) await real.settle(settlement)
  })
  error.mockRestore()
  expect(refused).toHaveLength(2)
  expect(bill.holds).toBe(0)
})
