import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { DoubleKind } from '#server/testing/doubles/start-double.ts'
import { sdkClients } from '#server/testing/sdk-clients.ts'
import { type Driver, drivers } from '#server/testing/sdk-drivers.ts'
import { startVendorScene, type VendorScene } from '#server/testing/vendor-scene.ts'

/** Vendors whose answers bring no time of their own. */
const timeless: [kind: DoubleKind, type: number][] = [
  ['anthropic', 14],
  ['gemini', 24],
  ['dashscope', 17],
]

let scene: VendorScene
beforeAll(async () => {
  scene = await startVendorScene()
  for (const [kind, type] of timeless) {
    const model_mapping = JSON.stringify({ [`my-${kind}`]: 'theirs' })
    await scene.vendor(kind, type, `my-${kind}`, { model_mapping, other: kind === 'dashscope' ? 'plugin' : '' })
  }
})
afterAll(() => scene.stop())

const translated = (['the openai client', 'the openai client on responses'] as const).flatMap((name) =>
  timeless.flatMap(([kind]) => [false, true].map((stream) => [name, kind, stream] as const)),
)

test.each(translated)(
  '%s reads the name it asked for and the time from %s, streaming %p',
  async (name, kind, stream) => {
    scene.app.time.now = 1_800_000_000_500
    const driver: Driver = drivers[name]
    const clients = sdkClients(scene.app.url, scene.key)
    const received = await driver.ask(clients, { model: `my-${kind}`, stream, text: 'hi' })
    scene.app.time.now = null
    expect(received).toMatchObject({ model: `my-${kind}`, created: 1_800_000_000 })
  },
)
