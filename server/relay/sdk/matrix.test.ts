import { afterAll, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { doubleUsage } from '#server/testing/doubles/script.ts'
import { expectCharge } from '#server/testing/expect-charge.ts'
import type { Bill } from '#server/testing/relay-scene.ts'
import { type SdkClients, sdkClients } from '#server/testing/sdk-clients.ts'
import { type Driver, drivers, type Received } from '#server/testing/sdk-drivers.ts'
import {
  doubleCharge,
  startVendorScene,
  type Vendor,
  type VendorScene,
  vendorName,
  vendors,
} from '#server/testing/vendor-scene.ts'
import { checkTable } from '#shared/testing/table.ts'

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

type Way = readonly [driver: Driver, vendor: Vendor, stream: boolean]

async function asks([driver, { model }, stream]: Way): Promise<void> {
  const received = await charged(model, stream, () => driver.ask(clients, { model, stream, text: 'hello there' }))
  expect(received.text).toBe('You said: hello there')
  expect(received.calls).toEqual([])
  expect(received.model).toBe(model)
  expect(received.created ?? 1).toBeGreaterThan(0)
}

async function runsTool([driver, { model }, stream]: Way): Promise<void> {
  let received: readonly Received[] = []
  const bill = await scene.bill(async () => {
    received = await driver.toolLoop(clients, { model, stream, text: 'weather?' })
  })
  expectTwoCharges(bill)
  expect(received.map((each) => each.calls)).toEqual([[{ name: 'weather', arguments: { city: 'Rome' } }], []])
  expect(received[1]?.text).toBe('The tool said: sunny')
  expect(received.map((each) => each.usage)).toEqual([doubleUsage, doubleUsage])
}

async function showsPicture([driver, { model }, stream]: Way): Promise<void> {
  const question = { model, stream, text: 'what?', image: pixel }
  const received = await charged(model, stream, () => driver.ask(clients, question))
  expect(received.text).toBe('I see an image. You said: what?')
}

type Cell = readonly [name: string, check: () => Promise<void>]

/** What is tried with one vendor: a question and a tool, both ways, and a picture. */
function cellsOf(driver: Driver, vendor: Vendor): readonly Cell[] {
  const name = vendorName(vendor)
  const bothWays = [false, true].flatMap((stream): readonly Cell[] => {
    const way: Way = [driver, vendor, stream]
    const how = stream ? 'streaming' : 'plain'
    const loop: Cell = [`${how}: runs a tool for ${name}`, () => runsTool(way)]
    return [[`${how}: is answered by ${name}`, () => asks(way)], ...(vendor.lacks?.includes('tools') ? [] : [loop])]
  })
  const picture: Cell = [`shows ${name} a picture`, () => showsPicture([driver, vendor, false])]
  return vendor.lacks?.includes('images') ? bothWays : [...bothWays, picture]
}

test.each(Object.entries<Driver>(drivers))('%s is understood with every vendor and pays exactly', async (_, driver) => {
  const cells = vendors.flatMap((vendor) => cellsOf(driver, vendor))
  await checkTable(cells, (check) => check())
})
