import { afterAll, beforeAll, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { runCommand } from '#server/testing/run-command.ts'

const dayMs = 86_400_000
const cost = 30
let scene: RelayScene

beforeAll(async () => {
  scene = await startRelayScene()
  await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }))
})
afterAll(() => scene.stop())

const spend = () => scene.bill(() => scene.chat().then((answer) => answer.text()))

const run = () => {
  const { DATABASE_URL } = scene.app.ctx.config
  return runCommand(['return-budgets'], { DATABASE_URL, SECRET_KEY: 'a secret key for tests' })
}

async function budgets() {
  const { db } = scene.app.ctx.database
  const columns = ['budget_used', 'budget_held', 'budget_from', 'budget_to'] as const
  const user = await db.selectFrom('users').select(columns).where('id', '=', scene.userId).executeTakeFirstOrThrow()
  const token = await db.selectFrom('tokens').select(columns).where('id', '=', scene.tokenId).executeTakeFirstOrThrow()
  return { user, token }
}

test('budgets that a clock ahead moved into a later period come back, and all that was spent counts', async () => {
  await spend()
  const before = await budgets()
  expect((await run()).output).toContain('nothing was changed')
  expect(await budgets()).toEqual(before)

  const ahead = Date.now() + 400 * dayMs
  scene.app.time.now = ahead
  await spend()
  scene.app.time.now = null
  await spend()
  expect((await budgets()).user.budget_from).toBeGreaterThan(before.user.budget_to)

  expect(await run()).toMatchObject({ code: 0 })
  const used = { budget_used: 3 * cost }
  expect(await budgets()).toEqual({ user: { ...before.user, ...used }, token: { ...before.token, ...used } })

  // As at a start, what the ledger remembers is read anew. Once that later period begins, nothing is left in it.
  await scene.option('SystemName', 'back in time')
  scene.app.time.now = ahead
  await spend()
  const later = await budgets()
  expect([later.user.budget_used, later.token.budget_used]).toEqual([cost, cost])
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
})
