import { afterAll, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { newestOpenai } from '#server/testing/doubles/newest-openai.ts'
import { doubleUsage } from '#server/testing/doubles/script.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { type SdkClients, sdkClients } from '#server/testing/sdk-clients.ts'
import { drivers } from '#server/testing/sdk-drivers.ts'
import { doubleCharge } from '#server/testing/vendor-scene.ts'
import { checkTable } from '#shared/testing/table.ts'

const models = ['gpt-4o', 'gpt-5.4', 'gpt-6-sol', 'gpt-6-astra', 'gpt-9-new'] as const

let scene: RelayScene
let clients: SdkClients
beforeAll(async () => {
  scene = await startRelayScene()
  clients = sdkClients(scene.app.url, scene.key)
  const each = (ratio: number) => JSON.stringify(Object.fromEntries(models.map((model) => [model, ratio])))
  await scene.option('ModelRatio', each(1))
  await scene.option('CompletionRatio', each(4))
  await scene.channel(newestOpenai, { models: models.join(',') })
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const thoughtful: ReadonlySet<string> = new Set(['gpt-6-sol', 'gpt-6-astra', 'gpt-9-new'])
const rounds = 3

const cells = Object.entries(drivers).flatMap(([name, driver]) =>
  models.flatMap((model) =>
    [false, true].map(
      (stream) => [`${name}, ${model}, ${stream ? 'streaming' : 'plain'}`, { name, driver, model, stream }] as const,
    ),
  ),
)

test('the official clients go on over three turns with tools and thoughts on the models of every row', () =>
  checkTable(cells, async ({ name, driver, model, stream }) => {
    const isMoved = thoughtful.has(model) || name.includes('responses')
    const turns = isMoved ? rounds : 2
    let received: Awaited<ReturnType<typeof driver.toolLoop>> | readonly [] = []
    const bill = await scene.bill(async () => {
      received = await driver.toolLoop(clients, { model, stream, text: 'weather?' }, turns)
    })
    expect(bill).toMatchObject({ user: -turns * doubleCharge, token: -turns * doubleCharge, requests: turns, holds: 0 })
    expect(bill.rows.map(({ quota, outcome }) => `${outcome} ${quota}`)).toEqual(
      Array.from({ length: turns }, () => `done ${doubleCharge}`),
    )
    expect(received.slice(0, -1).flatMap(({ calls }) => calls)).toEqual(
      Array.from({ length: turns - 1 }, () => ({ name: 'weather', arguments: { city: 'Rome' } })),
    )
    expect(received.at(-1)?.text).toBe(isMoved ? '2 results, 2 thoughts' : 'The tool said: sunny')
    for (const each of received) expect(each).toMatchObject({ model, usage: doubleUsage })
  }))
