import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { doubleUsage } from '#server/testing/doubles/script.ts'
import { expectCharge } from '#server/testing/expect-charge.ts'
import type { Bill } from '#server/testing/relay-scene.ts'
import { type SdkClients, sdkClients } from '#server/testing/sdk-clients.ts'
import { type Driver, drivers, type Received } from '#server/testing/sdk-drivers.ts'
import { doubleCharge, startVendorScene, type VendorScene, vendorName, vendors } from '#server/testing/vendor-scene.ts'

let scene: VendorScene
let clients: SdkClients
beforeAll(async () => {
  scene = await startVendorScene()
  clients = sdkClients(scene.app.url, scene.key)
  await scene.everyVendor()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const pixel = 'data:image/png;base64,iVBORw0KGgo='
const reported = { prompt_tokens: doubleUsage.input, completion_tokens: doubleUsage.output }

/** Does something that costs one answer, and checks that it cost exactly that. */
async function charged(model: string, stream: boolean, work: () => Promise<Received>): Promise<Received> {
  let received: Received | undefined
  const bill = await scene.bill(async () => {
    received = await work()
  })
  expectCharge(bill, doubleCharge, { ...reported, model_name: model, is_stream: stream ? 1 : 0 })
  if (!received) throw new Error('nothing was received')
  expect(received.usage).toEqual(doubleUsage)
  return received
}

function expectTwoCharges({ rows: logged, ...moved }: Bill): void {
  const total = 2 * doubleCharge
  const counters = { userUsed: total, tokenUsed: total, channels: total, requests: 2, holds: 0 }
  expect(moved).toEqual({ user: -total, token: -total, ...counters })
  expect(logged.map((row) => row.quota)).toEqual([doubleCharge, doubleCharge])
}

const table = Object.entries<Driver>(drivers)
const named = vendors.map((vendor) => [vendorName(vendor), vendor] as const)
const able = (what: 'tools' | 'images') => named.filter(([, vendor]) => !vendor.lacks?.includes(what))

describe.each(table)('%s', (_, driver) => {
  describe.each([
    ['plain', false],
    ['streaming', true],
  ])('%s', (_, stream) => {
    test.each(named)('is answered by %s and pays exactly', async (_, { model }) => {
      const received = await charged(model, stream, () => driver.ask(clients, { model, stream, text: 'hello there' }))
      expect(received.text).toBe('You said: hello there')
      expect(received.calls).toEqual([])
      expect(received.model).toBe(model)
      expect(received.created ?? 1).toBeGreaterThan(0)
    })

    test.each(able('tools'))('runs a tool for %s and pays exactly', async (_, { model }) => {
      let received: readonly Received[] = []
      const bill = await scene.bill(async () => {
        received = await driver.toolLoop(clients, { model, stream, text: 'weather?' })
      })
      expectTwoCharges(bill)
      expect(received.map((each) => each.calls)).toEqual([[{ name: 'weather', arguments: { city: 'Rome' } }], []])
      expect(received[1]?.text).toBe('The tool said: sunny')
      expect(received.map((each) => each.usage)).toEqual([doubleUsage, doubleUsage])
    })
  })

  test.each(able('images'))('shows %s a picture and pays exactly', async (_, { model }) => {
    const question = { model, stream: false, text: 'what?', image: pixel }
    const received = await charged(model, false, () => driver.ask(clients, question))
    expect(received.text).toBe('I see an image. You said: what?')
  })
})
