import { afterAll, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, type SceneChannel, startRelayScene } from '#server/testing/relay-scene.ts'
import { mountSmallDisk } from '#server/testing/small-disk.ts'
import { onPostgres } from '#server/testing/test-database.ts'

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

test('no vendor is asked while nothing can be written, and service resumes by itself', async () => {
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

test('on a disk that is full to the last byte likewise, and what runs meanwhile is closed afterwards', async () => {
  const disk = onPostgres ? null : mountSmallDisk(24)
  if (!disk) return
  const small = await startRelayScene({ databaseUrl: `sqlite:${disk.folder}/test.db` })
  try {
    const answers = Promise.withResolvers<void>()
    const usage = { prompt_tokens: 5, completion_tokens: 10 }
    const upstream = await small.channel([
      chatAnswer('hello', usage),
      async (request) => {
        await answers.promise
        return chatAnswer('late', usage)(request)
      },
      chatAnswer('hello', usage),
    ])
    const ready = async () => (await fetch(`${small.app.url}/readyz`)).status
    expect((await small.chat()).status).toBe(200)
    const running = small.chat()
    await eventually(
      () => upstream.seen.length,
      (count) => count === 2,
    )
    disk.fill()
    await eventually(ready, (status) => status === 503)
    for (let at = 0; at < 5; at += 1) {
      const answer = await small.chat()
      expect(answer.status).toBe(503)
      expect(await answer.json()).toMatchObject({ error: { type: expect.any(String) } })
    }
    expect(upstream.seen).toHaveLength(2)
    answers.resolve()
    // What cannot be written down is not shown, and what is not shown is free.
    expect((await running).status).toBe(503)
    disk.clear()
    await eventually(ready, (status) => status === 200)
    expect((await small.chat()).status).toBe(200)
    const { rows } = await eventually(small.books, ({ holds, rows: written }) => holds === 0 && written.length === 3)
    expect(rows.map(({ quota }) => quota).sort()).toEqual([0, 45, 45])
    expect(await reconcile(small.app.ctx.database.db)).toEqual([])
  } finally {
    await small.stop()
    disk.remove()
  }
}, 30_000)
