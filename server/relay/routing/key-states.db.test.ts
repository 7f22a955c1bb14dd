import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'
import { forgetKeyState, writeKeyState } from './key-pools.store.ts'
import { createKeyPools } from './key-pools.ts'
import { createRouting } from './routing-table.ts'

const keys = ['pool-key-1', 'pool-key-2', 'pool-key-3']

let scene: RelayScene
let channelId: number
beforeAll(async () => {
  scene = await startRelayScene()
  channelId = (
    await scene.channel(chatAnswer('hello', { prompt_tokens: 1, completion_tokens: 1 }), { key: keys[0] ?? '' })
  ).id
  await scene.root.call(api.channels.update, { id: channelId, key: keys.join('\n'), pool: true })
})
afterAll(() => scene.stop())

const restingUntil = 4_000_000_000
const rest = async (key: string) => {
  const keyHash = scene.app.ctx.secrets.hash(key)
  const state = { channelId, keyHash, restingUntil, restSeconds: 60, lastFault: '429' }
  await scene.app.ctx.database.db.transaction().execute((tx) => writeKeyState(tx, state))
}
const forget = (key: string) => {
  const { database, secrets } = scene.app.ctx
  return database.db.transaction().execute((tx) => forgetKeyState(tx, channelId, secrets.hash(key)))
}

test('the keys of a pool are hashed once, however often one of them changes', async () => {
  const { ctx } = scene.app
  let hashed = 0
  const secrets = {
    ...ctx.secrets,
    hash(plain: string) {
      hashed += 1
      return ctx.secrets.hash(plain)
    },
  }
  for (const key of keys) await rest(key)
  const pools = createKeyPools({ ...ctx, secrets })
  await eventually(
    () => pools.isCalm(),
    (calm) => !calm,
  )
  expect(hashed).toBe(keys.length)
  for (const key of keys) await forget(key)
  ctx.changes.emit({ topic: 'keys', id: channelId })
  await eventually(
    () => pools.isCalm(),
    (calm) => calm,
  )
  expect(hashed).toBe(keys.length)
})

// SQLite has one connection, on which nothing overtakes.
test.skipIf(!onPostgres)('states that were read before a change and arrive after it are not kept', async () => {
  const { ctx } = scene.app
  const late = Promise.withResolvers<void>()
  let read = 0
  const db = ctx.database.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      read += 1
      if (read === 1) await late.promise
      return result
    },
  })
  await rest('pool-key-1')
  const pools = createKeyPools({ ...ctx, database: { ...ctx.database, db } })
  await eventually(
    () => read,
    (begun) => begun === 1,
  )
  await rest('pool-key-2')
  await forget('pool-key-1')
  ctx.changes.emit({ topic: 'keys', id: channelId })
  const { channels } = await createRouting(ctx).table()
  const channel = channels.get(channelId)
  if (!channel) throw new Error('the channel is gone')
  const resting = () => keys.filter((key) => pools.isResting(channel, key, (restingUntil - 1) * 1000))
  expect(await eventually(resting, (found) => found.length > 0)).toEqual(['pool-key-2'])
  late.resolve()
  await Bun.sleep(0)
  expect(await eventually(resting, () => true)).toEqual(['pool-key-2'])
})
