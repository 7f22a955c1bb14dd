import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { epochSeconds } from '#server/context.ts'
import { foldLogs } from '#server/jobs/fold-logs.ts'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer, errorAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { handshake } from '#server/testing/socket-client.ts'
import { strangerKey } from '#server/testing/stranger-key.ts'
import { api } from '#shared/api/all.ts'
import { logType } from '#shared/statuses.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 1_000_000 })
})
afterEach(async () => {
  await scene.root.call(api.users.update, { id: scene.userId, quota: 1_000_000 })
  await scene.user.call(api.tokens.update, { id: scene.tokenId, rpm: 0 })
  await scene.clear()
  await scene.app.ctx.database.db.deleteFrom('logs').where('type', '=', logType.refused).execute()
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const good = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })
const timesIn = ({ detail }: { readonly detail: Record<string, unknown> }): number => Number(detail.refused ?? 1)

/** The refusals in the *Failed* view of the caller, once so many are there. */
const refusals = async (count: number) => {
  const page = await eventually(
    () => scene.user.call(api.logs.own, { outcome: 'failed', type: logType.refused, pagesize: 100 }),
    ({ list }) => list.reduce((sum, row) => sum + timesIn(row), 0) >= count,
  )
  expect(page.list.reduce((sum, row) => sum + timesIn(row), 0)).toBe(count)
  return page.list
}

test.each([
  [402, 'insufficient_quota', () => scene.root.call(api.users.update, { id: scene.userId, quota: 1 })],
  [429, 'rate_limit_exceeded', () => scene.user.call(api.tokens.update, { id: scene.tokenId, rpm: 1 })],
] as const)('a request refused with %d leaves a row that costs nothing and says why', async (status, code, prepare) => {
  await scene.channel(good)
  await prepare()
  const before = (await scene.books()).userQuota
  let answer = await scene.chat()
  if (status === 429) answer = await scene.chat()
  expect(answer.status).toBe(status)
  const [row] = await refusals(1)
  expect(row).toMatchObject({
    quota: 0,
    outcome: 'failed',
    model_name: 'gpt-4o',
    token_name: 'test',
    detail: { fault: { status, code } },
  })
  const { error } = (await answer.json()) as { error: { message: string } }
  expect(error.message).toStartWith(row?.content ?? 'none')
  expect(error.message).toContain(`request id: ${row?.request_id}`)
  // The operator who is asked about it finds it by its number, and among all that failed.
  const found = await scene.root.call(api.logs.request, { request_id: row?.request_id ?? '' })
  expect(found.row).toMatchObject({ quota: 0, model_name: 'gpt-4o' })
  const all = await scene.root.call(api.logs.list, { outcome: 'failed', username: 'ann' })
  expect(all.list[0]).toMatchObject({ request_id: row?.request_id, quota: 0 })
  if (status === 402) expect((await scene.books()).userQuota).toBe(before)
})

test('a model nobody carries leaves a row with its name, however long that is', async () => {
  const model = `nobody-${'x'.repeat(5000)}`
  expect((await scene.chat({ model })).status).toBe(404)
  const [row] = await refusals(1)
  expect(row).toMatchObject({ model_name: model.slice(0, 100), detail: { fault: { code: 'model_not_found' } } })
  expect(row?.content.length).toBeLessThan(400)
})

test('a realtime session that cannot be paid leaves a row with its model', async () => {
  await scene.channel(good, { models: 'gpt-realtime' })
  await scene.root.call(api.users.update, { id: scene.userId, quota: 1 })
  const address = `${scene.app.url}/v1/realtime?model=gpt-realtime`
  expect((await handshake(address, { authorization: `Bearer ${scene.key}` })).status).toBe(402)
  expect(await refusals(1)).toMatchObject([{ model_name: 'gpt-realtime', quota: 0 }])
})

test('a token whose quota has run out leaves rows, too', async () => {
  await scene.channel(good)
  const { key, id } = await scene.user.call(api.tokens.create, { name: 'empty', remain_quota: 0 })
  const headers = { authorization: `Bearer sk-${key}` }
  for (let round = 0; round < 2; round += 1) expect((await scene.chat({}, { headers })).status).toBe(402)
  for (const row of await refusals(2)) expect(row.token_name).toBe('empty')
  await scene.user.call(api.tokens.remove, { id })
})

test('a hundred and fifty are counted as such and are far fewer rows, in the log as in usage', async () => {
  await scene.channel(good)
  await scene.root.call(api.users.update, { id: scene.userId, quota: 1 })
  const to = epochSeconds(scene.app.ctx) + 3600
  const used = async () => {
    const { totals } = await scene.user.call(api.usage.summary, { from: to - 7200, to })
    return { requests: totals.requests, failed: totals.failed, quota: totals.quota }
  }
  const before = await used()
  for (let round = 0; round < 150; round += 1) expect((await scene.chat()).status).toBe(402)
  const rows = await refusals(150)
  expect(rows.length).toBeLessThan(30)
  const wanted = { requests: before.requests + 150, failed: before.failed + 150, quota: before.quota }
  expect(await used()).toEqual(wanted)
  await foldLogs(scene.app.ctx)
  expect(await used()).toEqual(wanted)
}, 60_000)

test('who asks for a new model each time writes a bounded number of rows', async () => {
  for (let round = 0; round < 200; round += 1) expect((await scene.chat({ model: `m-${round}` })).status).toBe(404)
  const rows = await refusals(200)
  expect(rows.length).toBeLessThanOrEqual(20 * 2)
}, 60_000)

test('what a vendor refuses has the row of its request alone, and unknown keys have none', async () => {
  await scene.channel(errorAnswer(429, { message: 'slow down' }))
  expect((await scene.chat()).status).toBe(429)
  expect((await scene.chat({}, { headers: { authorization: 'Bearer sk-nobody' } })).status).toBe(401)
  expect((await scene.chat({ model: 'marker' })).status).toBe(404)
  const rows = await refusals(1)
  expect(rows[0]?.model_name).toBe('marker')
})

test('whose account is erased before they are written is not named by them', async () => {
  const stranger = await strangerKey(scene)
  const headers = { authorization: `Bearer ${stranger}` }
  expect((await scene.chat({ model: 'nobody-has-this' }, { headers })).status).toBe(404)
  const { db } = scene.app.ctx.database
  await scene.root.call(api.users.manage, { username: 'eve', action: 'delete' })
  expect((await scene.chat({ model: 'marker' })).status).toBe(404)
  await refusals(1)
  const rows = await db.selectFrom('logs').select('id').where('model_name', '=', 'nobody-has-this').execute()
  expect(rows).toEqual([])
})

test('refusals say nothing of how well a model or a channel answers', async () => {
  await scene.option('ModelRatio', '{"gpt-4o": 1, "house": 1}')
  const { id } = await scene.channel(good, { models: 'house' })
  expect((await scene.chat({ model: 'house' })).status).toBe(200)
  await scene.root.call(api.users.update, { id: scene.userId, quota: 1 })
  for (let round = 0; round < 20; round += 1) await scene.chat({ model: 'house' })
  await refusals(20)
  const models = await scene.root.call(api.models.list, {})
  expect(models.list.find((model) => model.id === 'house')?.availability).toBe(1)
  const { list } = await scene.root.call(api.channels.list, {})
  expect(list.find((channel) => channel.id === id)?.success_share).toBe(1)
})
