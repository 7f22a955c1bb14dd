import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { noticesPerHour } from '#server/mail/notice-slots.ts'
import { notifyRoot } from '#server/mail/notify-root.ts'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
let pushed: { title: string; content: string }[] = []
const pusher = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    pushed.push((await request.json()) as { title: string; content: string })
    return Response.json({ success: true })
  },
})
beforeAll(async () => {
  scene = await startRelayScene()
})
beforeEach(async () => {
  pushed = []
  await scene.option('MessagePusherAddress', `http://127.0.0.1:${pusher.port}`)
  await scene.option('PreConsumedQuota', 1)
  await scene.app.ctx.database.db.deleteFrom('meta').where('key', 'like', 'notice:%').execute()
  // 100 each: 60 + 4 × 10.
  await scene.channel(chatAnswer('hello', { prompt_tokens: 60, completion_tokens: 10 }))
})
afterEach(() => scene.clear())
afterAll(async () => {
  await scene.stop()
  await pusher.stop(true)
})

const ask = async (key = scene.key) =>
  (await scene.chat({ max_tokens: 10 }, { headers: { authorization: `Bearer ${key}` } })).status

const warned = async (like: string) =>
  (await scene.app.ctx.database.db.selectFrom('meta').select('key').where('key', 'like', like).execute()).length

test('the operator is notified once of the budget an administrator set', async () => {
  const { userId, root } = scene
  await root.call(api.users.update, { id: userId, budget: 300, budget_period: 'month' })
  for (let each = 0; each < 3; each += 1) expect(await ask()).toBe(200)
  await eventually(
    () => pushed.length,
    (count) => count > 0,
  )
  expect(pushed.map(({ title }) => title)).toEqual([expect.stringContaining('user ann')])
  await root.call(api.users.update, { id: userId, budget: 0 })
})

test('he receives nothing about budgets that users set, in the words they give them', async () => {
  const tokens = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      scene.user.call(api.tokens.create, { name: `buy at evil ${at}`, unlimited_quota: true, budget: 100 }),
    ),
  )
  for (const { key } of tokens) expect(await ask(`sk-${key}`)).toBe(200)
  await eventually(
    () => warned('budget:token:%:100'),
    (count) => count === tokens.length,
  )
  expect(pushed).toEqual([])
})

test('he gets a few notices of one kind an hour, of all nodes together, and others beside them', async () => {
  const other = onPostgres ? await startTestApp({ databaseUrl: scene.app.ctx.config.DATABASE_URL }) : null
  const nodes = [scene.app, ...(other ? [other] : [])]
  for (const node of nodes) await node.ctx.refreshOptions()
  const notifyAll = async (kind: 'budget' | 'channel_slow') => {
    const notices = Array.from({ length: 30 }, (_, at) =>
      notifyRoot(nodes[at % nodes.length]?.ctx ?? scene.app.ctx, { kind, title: `${kind} ${at}`, content: 'words' }),
    )
    return (await Promise.all(notices)).filter((isSent) => isSent).length
  }
  expect(await notifyAll('budget')).toBe(noticesPerHour)
  expect(noticesPerHour).toBeLessThanOrEqual(5)
  expect(pushed).toHaveLength(noticesPerHour)
  expect(pushed.filter(({ content }) => content.includes('There may be more'))).toHaveLength(1)
  expect(await notifyAll('channel_slow')).toBe(noticesPerHour)
  for (const node of nodes) node.time.now = Date.now() + 3_601_000
  expect(await notifyAll('budget')).toBe(noticesPerHour)
  for (const node of nodes) node.time.now = null
  await other?.stop()
})

test('a notice that could not be sent is none of the few', async () => {
  await scene.option('MessagePusherAddress', 'http://127.0.0.1:1')
  const notice = { kind: 'channel_slow', title: 'a', content: 'b' } as const
  for (let each = 0; each < noticesPerHour + 2; each += 1) expect(await notifyRoot(scene.app.ctx, notice)).toBe(false)
  await scene.option('MessagePusherAddress', `http://127.0.0.1:${pusher.port}`)
  expect(await notifyRoot(scene.app.ctx, notice)).toBe(true)
})
