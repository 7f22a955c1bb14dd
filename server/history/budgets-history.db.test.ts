import { afterAll, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import {
  chatAnswer,
  deltaFrame,
  doneFrame,
  eventStream,
  finishFrame,
  usageFrame,
} from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'
import type { HistoryEntry, HistoryKind } from '#shared/api/history.ts'

const usage = { prompt_tokens: 100, completion_tokens: 100 }
const charge = 500
const day = 86_400_000

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
  scene.app.time.now = Date.parse('2026-11-10T10:00:00Z')
})
afterAll(() => scene.stop())

async function newest(kind: HistoryKind): Promise<HistoryEntry> {
  const { list } = await scene.root.call(api.history.list, { kind, pagesize: 1 })
  if (!list[0]) throw new Error('the history is empty')
  return list[0]
}

const undo = async (kind: HistoryKind) => scene.root.call(api.history.undo, { id: (await newest(kind)).id })
const isProven = async () => expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
const later = (ms: number) => {
  scene.app.time.now = (scene.app.time.now ?? 0) + ms
}

/** The first account with money and a token of its own. */
async function ownToken(budget: { budget: number; budget_period: 'day' | 'month' }) {
  const { id } = await scene.root.call(api.account.self, {})
  await scene.root.call(api.users.update, { id, quota: 1_000_000 })
  const token = await scene.root.call(api.tokens.create, { name: 'own', ...budget })
  return { ...token, headers: { authorization: `Bearer sk-${token.key}` } }
}

test('a period of a budget that is put back counts what was used in it', async () => {
  const { root, userId } = scene
  await scene.channel(chatAnswer('hi', usage))
  const token = await ownToken({ budget: 5000, budget_period: 'month' })
  await scene.bill(() => scene.chat())
  await scene.bill(() => scene.chat({}, { headers: token.headers }))
  later(3 * day)
  await root.call(api.users.update, { id: userId, budget: 5000, budget_period: 'day' })
  await root.call(api.tokens.update, { id: token.id, name: 'own', budget_period: 'day' })
  expect((await root.call(api.users.get, { id: userId })).budget_used).toBe(0)
  expect((await root.call(api.tokens.get, { id: token.id })).budget_used).toBe(0)
  await undo('user')
  await undo('token')
  const whole = { budget_period: 'month', budget_used: charge, budget_resets_at: Date.parse('2026-12-01') / 1000 }
  expect(await root.call(api.users.get, { id: userId })).toMatchObject(whole)
  expect(await root.call(api.tokens.get, { id: token.id })).toMatchObject(whole)
  await isProven()
  await scene.clear()
})

test('a time zone that is put back, or comes in a file, counts budgets anew', async () => {
  const { root, userId } = scene
  await scene.channel(chatAnswer('hi', usage))
  await root.call(api.users.update, { id: userId, budget: 5000, budget_period: 'day' })
  await scene.bill(() => scene.chat())
  const resetsAt = async () =>
    new Date((await root.call(api.users.get, { id: userId })).budget_resets_at * 1000).toISOString().slice(11, 16)
  expect(await resetsAt()).toBe('00:00')
  await root.call(api.options.update, { key: 'TimeZone', value: 'Asia/Tokyo' })
  expect(await resetsAt()).toBe('15:00')
  await undo('option')
  expect(await resetsAt()).toBe('00:00')
  await root.call(api.config.apply, { file: 'options: {TimeZone: America/New_York}', env: {} })
  expect(await resetsAt()).toBe('05:00')
  await undo('config')
  expect(await resetsAt()).toBe('00:00')
  await isProven()
  await scene.clear()
})

test('a token that was deleted while it was in use comes back with nothing held', async () => {
  const { root } = scene
  const answered = Promise.withResolvers<void>()
  const end = [finishFrame(), usageFrame(usage), doneFrame]
  await scene.channel(eventStream(deltaFrame('a'), answered.promise, ...end))
  const token = await ownToken({ budget: 100_000, budget_period: 'day' })
  const answer = await scene.chat({ stream: true, max_tokens: 500 }, { headers: token.headers })
  await root.call(api.tokens.remove, { id: token.id })
  answered.resolve()
  await answer.text()
  await undo('token')
  await isProven()
  await scene.clear()
})
