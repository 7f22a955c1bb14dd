import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, type SceneChannel, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
let channel: SceneChannel

beforeAll(async () => {
  scene = await startRelayScene()
  channel = await scene.channel(chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 }))
})
afterAll(() => scene.stop())

const readyz = async () => (await fetch(`${scene.app.url}/readyz`)).status

/** As with a full disk: everything can be read, nothing written. */
async function writable(isOn: boolean): Promise<void> {
  const { database } = scene.app.ctx
  if (database.engine !== 'sqlite') return
  await database.exclusive((sqlite) => sqlite.run(`pragma query_only = ${isOn ? 'off' : 'on'}`))
}

test('while nothing can be written nobody is asked, and it ends by itself', async () => {
  if (scene.app.ctx.database.engine !== 'sqlite') return
  expect(await readyz()).toBe(200)
  expect((await scene.chat()).status).toBe(200)
  const asked = channel.seen.length
  await writable(false)
  await eventually(readyz, (status) => status === 503)
  for (let at = 0; at < 5; at += 1) expect((await scene.chat()).status).toBe(503)
  expect(channel.seen).toHaveLength(asked)
  const refused = await scene.user.fetch('/api/token/', { method: 'POST', body: '{"name":"x"}' })
  expect(refused.status).toBe(503)
  await writable(true)
  await eventually(readyz, (status) => status === 200)
  expect((await scene.chat()).status).toBe(200)
})
